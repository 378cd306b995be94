"""What is in a picture: the ontology of names, and worlds of abstract scenes with everything in them known."""

from eyechart.scenes import geometry, ontology

__all__ = ["geometry", "ontology"]
