"""What one scene graph says about its things, by the ontology: true, false, or not known.

Slow and literal on purpose: this is what faster code is compared with.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from eyechart.questions.codes import excludes, noun_code, relation_code, value_code
from eyechart.questions.graph import SceneGraph, Thing
from eyechart.questions.references import ANYTHING, PRONOUNS
from eyechart.questions.truth import Truth, all_of
from eyechart.scenes import ontology

__all__ = ["Facts"]

_GENDERS = {"he": "male", "she": "female"}
_LEFT, _RIGHT, _TOP, _BOTTOM = 0.3, 0.7, 0.18, 0.82
"""Where the margins of a picture end, as shares of it, for the centre of a thing."""
_CENTRE, _WITHIN = (0.35, 0.65), (0.15, 0.85)
"""Where the centre of a thing in the middle lies, and the whole thing."""


@dataclass(frozen=True)
class Facts:
    """A graph, and the words by which to understand it."""

    graph: SceneGraph
    words: ontology.Ontology

    # ------------------------------------------------------------------ names

    def named(self, thing: Thing, name: str) -> Truth:
        """Whether a thing is what a name or category says."""
        if name in _GENDERS:
            return all_of([self.named(thing, "person"), self.is_of_gender(thing, _GENDERS[name])])
        wanted, own = self.code(PRONOUNS.get(name, name)), self.code(thing.name)
        if wanted == ANYTHING or self.words.is_a(own, wanted):
            return True
        return False if excludes(self.words, own, wanted) else None

    def code(self, name: str) -> str:
        """The ontology's name for a word."""
        return noun_code(self.words, name)

    def is_of_gender(self, thing: Thing, gender: str) -> Truth:
        """Whether a person is female, or male."""
        noun = self.words.nouns.get(self.code(thing.name))
        if noun and noun.gender:
            return noun.gender == gender
        return self.has(thing, "gender", gender)

    def is_complete(self, name: str) -> bool:
        """Whether the graph has everything of this name."""
        code = self.code(PRONOUNS.get(name, name))
        return not self.graph.inventories.isdisjoint({name, code, ANYTHING, *self.words.ancestors(code)})

    # ------------------------------------------------------------------ values

    def has(self, thing: Thing, type_: str, value: str) -> Truth:
        """Whether a thing has a value."""
        if type_ == "name":
            return self.named(thing, value)
        if type_ in {"hposition", "vposition"}:
            place = self.position(thing, type_)
            return None if place is None else place == value
        if self.proof(thing, type_, value):
            return True
        return False if self.disproof(thing, type_, value) else None

    def proof(self, thing: Thing, type_: str, value: str) -> str | None:
        """The annotated attribute from which a value follows: light blue for blue."""
        wanted = value_code(self.words, value, type_)
        for own in self.own_values(thing, type_):
            if own == wanted or (own in self.words.attributes and wanted in self.words.broader(own)):
                return own
        return None

    def disproof(self, thing: Thing, type_: str, value: str) -> str | None:
        """The annotated attribute that a thing with a value could not have: green for red."""
        known, wanted = self.words.attributes, value_code(self.words, value, type_)
        for own in self.own_values(thing, type_):
            if own in known and wanted in known and self.words.contradict(own, wanted):
                return own
        return None

    def own_values(self, thing: Thing, type_: str) -> Iterator[str]:
        """The annotated attributes of a thing as the ontology's names."""
        return (value_code(self.words, each, type_) for each in thing.attributes)

    def value(self, thing: Thing, type_: str) -> str | None:
        """The one value that a thing has of a type, the most exact if one is a kind of the other."""
        if type_ == "name":
            return thing.name
        if type_ in {"hposition", "vposition"}:
            return self.position(thing, type_)
        known = self.words.attributes
        own = {each for each in self.own_values(thing, type_) if each in known and known[each].type == type_}
        exact = own - {above for each in own for above in self.words.broader(each)}
        return exact.pop() if len(exact) == 1 else None

    def position(self, thing: Thing, type_: str) -> str | None:
        """Left, right or middle; top, bottom or middle; None between, and for things without a box."""
        if thing.box is None or not self.graph.width or not self.graph.height:
            return None
        left, top, width, height = thing.box
        if type_ == "hposition":
            low, high, names = left / self.graph.width, (left + width) / self.graph.width, ("left", "right")
            margins = (_LEFT, _RIGHT)
        else:
            low, high, names = top / self.graph.height, (top + height) / self.graph.height, ("top", "bottom")
            margins = (_TOP, _BOTTOM)
        centre = (low + high) / 2
        if centre < margins[0] or centre > margins[1]:
            return names[centre > margins[1]]
        central = _CENTRE[0] <= centre <= _CENTRE[1] and low >= _WITHIN[0] and high <= _WITHIN[1]
        return "middle" if central else None

    def agree(self, one: Thing, other: Thing, type_: str) -> Truth:
        """Whether two things have the same value of a type; type and name stand for what they are."""
        if type_ == "gender":
            genders = [self.gender(each) for each in (one, other)]
            return None if None in genders else genders[0] == genders[1]
        if type_ in {"type", "name"}:
            return self.agree_in_name(one, other)
        values = [self.value(each, type_) for each in (one, other)]
        if None in values:
            return None
        if values[0] == values[1]:
            return True
        return False if self.disproof(one, type_, str(values[1])) else None

    def agree_in_name(self, one: Thing, other: Thing) -> Truth:
        """Whether two things are of the same name."""
        if self.code(one.name) == self.code(other.name):
            return True
        return False if excludes(self.words, self.code(one.name), self.code(other.name)) else None

    def gender(self, thing: Thing) -> str | None:
        """Female or male, if that is known."""
        return next((each for each in ("female", "male") if self.is_of_gender(thing, each)), None)

    # ------------------------------------------------------------------ relations

    def stand(self, subject: Thing, relation: str, target: Thing) -> Truth:
        """Whether two things are in a relation. Nothing is in a relation to itself that anybody would ask about."""
        if subject.id == target.id:
            return None
        if relation.startswith("same "):
            return self.agree(subject, target, relation.removeprefix("same "))
        wanted = relation_code(self.words, relation)
        if self.holds(subject, wanted, target):
            return True
        known = self.words.relations.get(wanted)
        opposites = [known.opposite] if known and known.opposite else []
        if any(self.holds(subject, each, target) for each in opposites):
            return False
        comparative, than, _ = wanted.partition(" than")
        return False if than and self.ranks_above(target, comparative, subject) else None

    def holds(self, subject: Thing, relation: str, target: Thing) -> bool:
        """Whether a relation is annotated, or follows from what is: the other way round, or more exactly."""
        return relation in self.relations_between(subject, target)

    def relations_between(self, subject: Thing, target: Thing) -> set[str]:
        """Everything that is known to hold between two things."""
        known = self.words.relations
        found: set[str] = set()
        for one, name, other in self.graph.relations:
            code = relation_code(self.words, name)
            if (one, other) == (subject.id, target.id):
                found |= {code, *(self.words.implied(code) if code in known else ())}
            if (other, one) == (subject.id, target.id) and code in known:
                every = (self.words.inverse(each) for each in (code, *self.words.implied(code)))
                found |= {inverse for inverse in every if inverse}
        return found | {above for each in found if each in known for above in self.words.implied(each)}

    def exceeds(self, one: Thing, comparative: str, other: Thing) -> Truth:
        """Whether one thing is older, taller … than another: by a relation, or by values that are ordered."""
        if comparative.startswith("less "):
            return self.exceeds(other, comparative.removeprefix("less "), one)
        stated = self.stand(one, f"{comparative} than", other)
        if stated is None and self.stand(other, f"{comparative} than", one):
            return False
        return self.ranks_above(one, comparative, other) if stated is None else stated

    def ranks_above(self, one: Thing, comparative: str, other: Thing) -> Truth:
        """Whether an ordered value of one thing is further towards what a comparative means."""
        meant = next((each for each in self.words.attributes.values() if each.comparative == comparative), None)
        order = self.words.types[meant.type].order if meant else ()
        if meant is None or meant.name not in order:
            return None
        ranks = [
            order.index(value) if (value := self.value(each, meant.type)) in order else None for each in (one, other)
        ]
        if None in ranks or ranks[0] == ranks[1]:
            return None
        rising = order.index(meant.name) * 2 >= len(order)
        return (ranks[0] > ranks[1]) == rising  # type: ignore[operator]  # neither is None

    # ------------------------------------------------------------------ the scene

    def scene_value(self, type_: str) -> str | None:
        """Where the picture was taken, or its weather."""
        return self.graph.weather if type_ == "weather" else self.graph.location

    def scene_has(self, type_: str, value: str) -> Truth:
        """Whether the place or the weather is this."""
        own = self.scene_value(type_)
        if own is None:
            return None
        scene = Thing("scene", own, (own,))
        if own == value or self.proof(scene, type_, value):
            return True
        return False if self.disproof(scene, type_, value) else self.named(scene, value)
