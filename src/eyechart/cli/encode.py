"""``eyechart encode``: features of pictures."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from eyechart.cli.options import Speech
from eyechart.cli.printing import print_json
from eyechart.pipeline.encoding import Encoding, encoder_of, import_detected
from eyechart.pipeline.encoding import encode as encoded
from eyechart.store import Benchmark

__all__ = ["encode"]

_VECTORS = "wordllama"


def encode(
    benchmark: Path,
    /,
    *,
    encoder: str = "efficientnet-lite0",
    view: str = "vector",
    side: int = 7,
    unit: Annotated[bool, Parameter(negative="")] = False,
    detected: Path | None = None,
    ids: Path | None = None,
    name: str | None = None,
    force: Annotated[bool, Parameter(negative="")] = False,
    speech: Speech = Speech(),  # frozen
) -> None:
    """Turn pictures into numbers that models look at, kept in the benchmark's folder of features.

    Parameters
    ----------
    benchmark
        A benchmark with images.
    encoder
        efficientnet-lite0, colors or both with a plus between, which work offline; an ONNX file; timm:NAME,
        open_clip:NAME/WEIGHTS or transformers:PATH where these are installed. For --view scene, word vectors:
        wordllama, or a file.
    view
        vector, grid, objects (boxes of the scene graph) or scene (the scene graph itself: perfect sight).
    side
        Of the grid, in cells: 7 or 14, as the papers have it. Of what is cut out for an object: 2 is 64 pixels, which
        is enough for clip art and ten times as fast.
    unit
        Bring every row to length 1.
    detected
        Import a detector's features instead: bottom-up attention's .tsv or .hdf5, or the folder of GQA's.
    ids
        The JSON file that tells which picture is which in a .hdf5 file.
    name
        The store's name; the encoder and the view if not said.
    force
        Replace features that are there.
    """
    opened = Benchmark.open(benchmark)
    if detected is not None:
        home = benchmark / "features" / (name or detected.stem)
        store = import_detected(detected, home, ids=ids, replace=force, progress=speech.progress)
    else:
        maker = _VECTORS if view == "scene" and encoder == "efficientnet-lite0" else encoder
        home = benchmark / "features" / (name or f"{Path(maker).stem.replace(':', '-').replace('/', '-')}-{view}")
        how = Encoding(view, side, unit)
        store = encoded(opened, encoder_of(maker, view), how, home, replace=force, progress=speech.progress)
    manifest = store.manifest
    if speech.json:
        print_json(
            {
                "features": str(store.folder),
                "made": store.source,
                "pictures": manifest.pictures - 1,
                "width": store.width,
            }
        )
        return
    print(
        f"{store.source}: {manifest.pictures - 1:,} pictures, at most {store.most:,} rows of {store.width:,} numbers."
    )
    print(f"\n{store.folder} is ready.")
