"""Every error that a user can meet, in one tree.

::

    EyechartError
    ├── UsageError (ValueError)             the call itself is wrong: an option, a combination, a name
    │   └── UnknownNameError                a name that no table knows; says which ones are near
    ├── DataError (ValueError)              what a file or a table holds is wrong
    │   ├── FormatError                     a foreign file does not have its format's layout
    │   └── SchemaError                     a table does not fit its schema
    ├── BenchmarkError (OSError)            a benchmark folder cannot be used as it is
    │   ├── MissingBenchmarkError           there is no benchmark at this path
    │   ├── UnfinishedBenchmarkError        a command was stopped before it finished the folder
    │   └── BenchmarkVersionError           the folder was written for another schema version
    ├── DatabaseError (OSError)             a database cannot be opened, or is not ours
    ├── WorkError (ValueError)              collected work cannot be taken, kept or changed as asked
    │   ├── MistakesError                   what a person handed in has mistakes; lists them by field
    │   └── StaleDraftError                 another window has saved a newer draft
    ├── DownloadError (OSError)             a file could not be fetched whole
    ├── MissingDependencyError (ImportError)  an optional package is not installed
    └── ExecutionError (RuntimeError)       workers kept dying; says which shards are missing

A message is one sentence with four parts: where, what was found, what was expected, what to do.
"""

from collections.abc import Mapping


class EyechartError(Exception):
    """The root: catch it to catch everything that Eyechart raises on purpose."""


class UsageError(EyechartError, ValueError):
    """The call itself is wrong: an option, a combination of options, or a name."""


class UnknownNameError(UsageError):
    """A name that no table knows; the message lists the near ones."""


class DataError(EyechartError, ValueError):
    """What a file or a table holds is wrong."""


class FormatError(DataError):
    """A foreign file does not have the layout of its format."""


class SchemaError(DataError):
    """A table does not fit its schema."""


class BenchmarkError(EyechartError, OSError):
    """A benchmark folder cannot be used as it is."""


class MissingBenchmarkError(BenchmarkError):
    """There is no benchmark at this path."""


class UnfinishedBenchmarkError(BenchmarkError):
    """A command was stopped before it finished this folder."""


class BenchmarkVersionError(BenchmarkError):
    """The folder was written for another schema version."""


class DatabaseError(EyechartError, OSError):
    """A database cannot be opened, or was written for another schema."""


class WorkError(EyechartError, ValueError):
    """Collected work cannot be taken, kept or changed as asked: an unknown study, token or worker."""


class MistakesError(WorkError):
    """What a person handed in has mistakes: a sentence for each, by the field it is about.

    >>> MistakesError({"0.answer": "Write an answer."}).mistakes
    {'0.answer': 'Write an answer.'}
    """

    def __init__(self, mistakes: Mapping[str, str]) -> None:
        super().__init__(" ".join(mistakes.values()))
        self.mistakes = dict(mistakes)


class StaleDraftError(WorkError):
    """Another window has saved a newer draft, of this revision."""

    def __init__(self, revision: int) -> None:
        super().__init__(
            f"draft: found revision {revision} saved already, expected nothing newer than what this window saw; "
            "load the newer one, or write over it knowingly"
        )
        self.revision = revision


class DownloadError(EyechartError, OSError):
    """A file could not be fetched whole."""


class MissingDependencyError(EyechartError, ImportError):
    """An optional package is not installed; the message says how to install it."""


class ExecutionError(EyechartError, RuntimeError):
    """Workers kept dying; the message says which shards are missing."""
