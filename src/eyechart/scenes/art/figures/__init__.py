"""Figures: animals on body plans and people on skeletons, drawn by strokes that data files write."""

from eyechart.scenes.art.figures.animals import Animal, read_animals
from eyechart.scenes.art.figures.dolls import read_dolls
from eyechart.scenes.art.figures.people import Person
from eyechart.scenes.art.figures.wardrobe import Cut, Drape

__all__ = ["Animal", "Cut", "Drape", "Person", "read_animals", "read_dolls"]
