"""Which names stand above which: a directed graph without cycles, or so one hopes; the check tells."""

from collections.abc import Iterator, Mapping

__all__ = ["Hierarchy"]


class Hierarchy:
    """Names and their more general names, of which each may have several.

    >>> kinds = Hierarchy({"tomato": ("fruit", "vegetable"), "fruit": ("food",), "vegetable": ("food",), "food": ()})
    >>> kinds.ancestors("tomato")
    ('fruit', 'vegetable', 'food')
    >>> kinds.is_a("tomato", "food"), kinds.is_a("food", "tomato"), kinds.is_a("food", "food")
    (True, False, True)
    """

    def __init__(self, parents: Mapping[str, tuple[str, ...]]) -> None:
        self.parents = parents
        self._distances: dict[str, dict[str, int]] = {}

    def distances(self, name: str) -> Mapping[str, int]:
        """Every more general name, nearest first, with the fewest steps to it; without the name itself.

        >>> dict(Hierarchy({"apple": ("fruit",), "fruit": ("food",)}).distances("apple"))
        {'fruit': 1, 'food': 2}
        """
        if name not in self._distances:
            found: dict[str, int] = {}
            level, distance = [name], 0
            while level:
                distance += 1
                above = dict.fromkeys(parent for each in level for parent in self.parents.get(each, ()))
                level = [each for each in above if each not in found and each != name]
                found |= dict.fromkeys(level, distance)
            self._distances[name] = found
        return self._distances[name]

    def ancestors(self, name: str) -> tuple[str, ...]:
        """Every more general name, nearest first; none for a name that is not known."""
        return tuple(self.distances(name))

    def is_a(self, name: str, ancestor: str) -> bool:
        """Whether one name is the other or stands below it."""
        return name == ancestor or ancestor in self.distances(name)

    def cycles(self) -> Iterator[tuple[str, ...]]:
        """Names that stand above themselves, each way round told once and from its alphabetically first name.

        >>> list(Hierarchy({"egg": ("hen",), "hen": ("egg",), "bird": ()}).cycles())
        [('egg', 'hen', 'egg')]
        """
        seen: set[str] = set()
        for name in sorted(self.parents):
            way = () if name in seen else self._way_back(name)
            seen.update(way)
            if way:
                yield way

    def _way_back(self, start: str) -> tuple[str, ...]:
        """The shortest way up from a name to itself; empty if there is none."""
        ways: list[tuple[str, ...]] = [(start, parent) for parent in self.parents[start]]
        reached: set[str] = set()
        for way in ways:  # grows while it is walked
            if way[-1] == start:
                return way
            if way[-1] not in reached:
                reached.add(way[-1])
                ways.extend((*way, parent) for parent in self.parents.get(way[-1], ()))
        return ()
