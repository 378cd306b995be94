"""Records of Visual Genome's files, in the spellings of its versions 1.0, 1.2 and 1.4."""

import msgspec

from eyechart.formats.values import Id, Pixels

__all__ = [
    "Attributes",
    "ImageData",
    "Objects",
    "Questions",
    "Region",
    "Regions",
    "Relationship",
    "Relationships",
    "SceneGraph",
    "Synset",
    "Thing",
]


class Thing(msgspec.Struct, gc=False):
    """An object, wherever it stands: in a list of objects, of attributes, or at the end of a relationship."""

    object_id: Id | None = None
    id: Id | None = None
    names: list[str] | None = None
    name: str | None = None
    object_names: list[str] | None = None
    synsets: list[str] | None = None
    x: float | None = None
    y: float | None = None
    w: float | None = None
    h: float | None = None
    width: float | None = None
    height: float | None = None
    attributes: list[str] | None = None
    merged_object_ids: list[Id] | None = None

    def __post_init__(self) -> None:
        """Nothing can be said of an object without an id."""
        _require(self, "object_id", "id")

    @property
    def key(self) -> str:
        """The object's id, under either name."""
        return str(self.id if self.object_id is None else self.object_id)

    @property
    def all_names(self) -> list[str] | None:
        """The list of names, if there is one."""
        return self.object_names if self.names is None else self.names


class Relationship(msgspec.Struct, gc=False):
    """A relation, with its two objects or with their ids."""

    predicate: str
    relationship_id: Id | None = None
    id: Id | None = None
    synsets: list[str] | None = None
    subject: Thing | None = None
    object: Thing | None = None
    subject_id: Id | None = None
    object_id: Id | None = None

    def __post_init__(self) -> None:
        """A relation has an id and two ends."""
        _require(self, "relationship_id", "id")
        _require(self, "subject", "subject_id")
        _require(self, "object", "object_id")

    @property
    def key(self) -> str:
        """The relation's id, under either name."""
        return str(self.id if self.relationship_id is None else self.relationship_id)

    @property
    def ends(self) -> tuple[str, str]:
        """The ids of subject and object."""
        one = str(self.subject_id) if self.subject is None else self.subject.key
        return one, str(self.object_id) if self.object is None else self.object.key


class Sense(msgspec.Struct, gc=False):
    """What some words of a phrase mean."""

    synset_name: str | None = None
    entity_name: str | None = None
    entity_idx_start: Pixels | None = None
    entity_idx_end: Pixels | None = None


class Region(msgspec.Struct, gc=False):
    """A described part of a picture; in region graphs with what its phrase is about."""

    region_id: Id | None = None
    id: Id | None = None
    phrase: str | None = None
    x: float | None = None
    y: float | None = None
    width: float | None = None
    height: float | None = None
    w: float | None = None
    h: float | None = None
    objects: list[Thing] | None = None
    relationships: list[Relationship] | None = None
    synsets: list[Sense] | None = None

    def __post_init__(self) -> None:
        """Region descriptions are known by their ids."""
        _require(self, "region_id", "id")

    @property
    def key(self) -> str:
        """The region's id, under either name."""
        return str(self.id if self.region_id is None else self.region_id)


class QuestionAnswer(msgspec.Struct, gc=False):
    """A question with its answer."""

    qa_id: Id
    question: str
    answer: str | None = None


class _Image(msgspec.Struct, gc=False, kw_only=True):
    """What a file says of one picture."""

    image_id: Id | None = None
    id: Id | None = None
    image_url: str | None = None

    @property
    def key(self) -> str:
        """The picture's id, under either name."""
        return str(self.id if self.image_id is None else self.image_id)


class Objects(_Image, gc=False, kw_only=True):
    """Objects of a picture."""

    objects: list[Thing]


class Attributes(_Image, gc=False, kw_only=True):
    """Objects of a picture with what they are like."""

    attributes: list[Thing]


class Relationships(_Image, gc=False, kw_only=True):
    """Relations in a picture."""

    relationships: list[Relationship]


class SceneGraph(_Image, gc=False, kw_only=True):
    """Objects and relations of a picture."""

    objects: list[Thing]
    relationships: list[Relationship]


class Regions(_Image, gc=False, kw_only=True):
    """Described parts of a picture."""

    regions: list[Region]


class Questions(_Image, gc=False, kw_only=True):
    """Questions about a picture."""

    qas: list[QuestionAnswer]


class ImageData(_Image, gc=False, kw_only=True):
    """Where a picture is and how large."""

    url: str | None = None
    width: Pixels | None = None
    height: Pixels | None = None
    coco_id: Id | None = None
    flickr_id: Id | None = None


class Synset(msgspec.Struct, gc=False):
    """A WordNet sense and what it means."""

    synset_name: str
    synset_definition: str | None = None


def _require(record: msgspec.Struct, name: str, other: str) -> None:
    if getattr(record, name) is None and getattr(record, other) is None:
        raise ValueError(f"an object with neither {name} nor {other}")
