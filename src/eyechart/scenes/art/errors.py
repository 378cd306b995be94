"""What can be wrong with a clip, said in one sentence that names the clip."""

from eyechart.errors import DataError
from eyechart.scenes.art.model import Clip

__all__ = ["choose", "name_of"]


def choose(clip: Clip, what: str, number: int, count: int) -> int:
    """The number by which a clip picks one of so many, if there is one of that number.

    >>> choose(Clip("apple", 0, 0, variant=1), "variant", 1, 2)
    1
    >>> choose(Clip("apple", 0, 0, variant=5), "variant", 5, 2)
    Traceback (most recent call last):
    eyechart.errors.DataError: apple-0: found variant 5, expected 0 to 1; name one that is drawn
    """
    if not 0 <= number < count:
        raise DataError(f"{name_of(clip)}: found {what} {number}, expected 0 to {count - 1}; name one that is drawn")
    return number


def name_of(clip: Clip) -> str:
    """What messages call a clip: its piece and its instance, as the ids of clip art do.

    >>> name_of(Clip("dog", 0, 0, instance=2))
    'dog-2'
    """
    return f"{clip.name}-{clip.instance}"
