"""What is in a picture: the ontology of names, and worlds of abstract scenes with everything in them known."""

from eyechart.scenes import art, generate, geometry, normalize, ontology, render

__all__ = ["art", "generate", "geometry", "normalize", "ontology", "render"]
