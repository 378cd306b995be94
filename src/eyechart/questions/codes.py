"""The ontology's names for the words of programs and graphs, so that synonyms, plurals and spellings are one."""

from eyechart.scenes import ontology

__all__ = ["excludes", "noun_code", "relation_code", "value_code"]


def noun_code(words: ontology.Ontology, name: str) -> str:
    """The ontology's name for a thing or category; the word itself where it is not known.

    >>> noun_code(ontology.packaged_ontology(), "apples")
    'apple'
    """
    if name in words.nouns or name in words.categories:
        return name
    found = words.noun(name)
    return found.name if found else name


def value_code(words: ontology.Ontology, value: str, type_: str = "") -> str:
    """The ontology's name for a value, of a type where it has several; the word itself where it is not known.

    >>> value_code(ontology.packaged_ontology(), "big", "size")
    'large'
    """
    found = words.attributes_of(value)
    of_type = [each.name for each in found if each.type == type_]
    return next(iter(of_type), found[0].name if found else value)


def relation_code(words: ontology.Ontology, relation: str) -> str:
    """The ontology's name for a relation; the words themselves where it is not known.

    >>> relation_code(ontology.packaged_ontology(), "left of")
    'to the left of'
    """
    if relation in words.relations:
        return relation
    found = words.relation(relation)
    return found.name if found else relation


def excludes(words: ontology.Ontology, own: str, wanted: str) -> bool:
    """Whether a thing of one name cannot be one of another: neither is a kind of the other, nor like it.

    >>> words = ontology.packaged_ontology()
    >>> excludes(words, "apple", "car"), excludes(words, "man", "athlete"), excludes(words, "apple", "food")
    (True, False, False)
    """
    nouns = words.nouns
    if own not in nouns or (wanted not in nouns and wanted not in words.categories):
        return False
    if words.alike(own, wanted) or words.alike(wanted, own):
        return False
    if nouns[own].person and wanted in nouns and nouns[wanted].person:
        # A man may be a skier; but not a woman.
        return {nouns[own].gender, nouns[wanted].gender} == {"female", "male"}
    if wanted not in words.categories or words.categories[wanted].disjoint or _in_another_branch(words, own, wanted):
        return True
    # A pear is no animal, so it is no pet.
    return any(excludes(words, own, above) for above in words.categories[wanted].parents)


def _in_another_branch(words: ontology.Ontology, own: str, wanted: str) -> bool:
    """Whether two names are below disjoint categories of one parent: an apple is a fruit, so no vehicle."""
    known = words.categories
    apart = [
        (known[one].parents, known[other].parents)
        for one in (own, *words.ancestors(own))
        for other in (wanted, *words.ancestors(wanted))
        if one in known and other in known and known[one].disjoint and known[other].disjoint
        if not words.is_a(own, other) and not words.is_a(wanted, one)
    ]
    return any(set(parents) & set(others) for parents, others in apart)
