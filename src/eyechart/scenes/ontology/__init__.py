"""What the words of a picture mean: objects, attributes and relations, and how they depend on each other."""

from eyechart.scenes.ontology.checking import FAULTS, Fault, check_ontology
from eyechart.scenes.ontology.forms import indefinite_article, plural_of
from eyechart.scenes.ontology.hierarchy import Hierarchy
from eyechart.scenes.ontology.loading import load_ontology, packaged_ontology
from eyechart.scenes.ontology.lookup import Lookup, spelled
from eyechart.scenes.ontology.model import Attribute, AttributeType, Category, Noun, Relation
from eyechart.scenes.ontology.ontology import Ontology
from eyechart.scenes.ontology.suggesting import suggestions

__all__ = [
    "FAULTS",
    "Attribute",
    "AttributeType",
    "Category",
    "Fault",
    "Hierarchy",
    "Lookup",
    "Noun",
    "Ontology",
    "Relation",
    "check_ontology",
    "indefinite_article",
    "load_ontology",
    "packaged_ontology",
    "plural_of",
    "spelled",
    "suggestions",
]
