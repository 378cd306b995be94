"""Scenes as pictures: SVG, PNG, what of each thing is seen, and the rows of the table of clip art."""

from eyechart.scenes.render.masks import drawn_box
from eyechart.scenes.render.measuring import Measures, Seen, measure
from eyechart.scenes.render.png import rasterize, to_png
from eyechart.scenes.render.rows import rows_of, scenes_of
from eyechart.scenes.render.sheets import close_ups, contact_sheet, scene_sheet
from eyechart.scenes.render.svg import painters_order, to_svg

__all__ = [
    "Measures",
    "Seen",
    "close_ups",
    "contact_sheet",
    "drawn_box",
    "measure",
    "painters_order",
    "rasterize",
    "rows_of",
    "scene_sheet",
    "scenes_of",
    "to_png",
    "to_svg",
]
