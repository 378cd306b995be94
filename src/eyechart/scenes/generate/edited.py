"""Edited scenes as rows: pictures that no number stands for, with ids of their own."""

from collections.abc import Mapping

from eyechart.scenes.generate.composition import Composition
from eyechart.scenes.generate.depict import depict
from eyechart.scenes.generate.lots import Lots
from eyechart.scenes.generate.rows import Made, Tables, tabulate
from eyechart.scenes.generate.stock import Stock
from eyechart.scenes.generate.world import World

__all__ = ["edited_rows"]

_TABLES = ("images", "cliparts", "objects", "attributes", "relations", "inventories")


def edited_rows(world: World, compositions: Mapping[str, Composition], stock: Stock | None = None) -> Tables:
    """Pictures to draw and graphs of some scenes, by the ids of their images; without captions and questions.

    >>> from eyechart.scenes.generate.compose import Composer
    >>> from eyechart.scenes.generate.reading import packaged_world
    >>> world = packaged_world("natural")
    >>> edited_rows(world, {"7-c": Composer(world).compose(7, 1)})["images"]["file"].to_list()
    ['7-c.png']
    """
    graphs = depict(list(compositions.values()), stock)
    made = [
        Made(image_id, composition, graph, Lots(0, 0))
        for (image_id, composition), graph in zip(compositions.items(), graphs, strict=True)
    ]
    tables = tabulate(made, world)
    return {name: tables[name] for name in _TABLES}
