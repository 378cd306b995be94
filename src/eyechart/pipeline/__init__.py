"""The shell around the rooms: stages read, call and write; executors say where they run.

>>> list(EXECUTORS)
['local', 'pool', 'ray']
"""

from eyechart.pipeline.executors import EXECUTORS, Executor
from eyechart.pipeline.run import Output, Where, run
from eyechart.pipeline.stage import Stage
from eyechart.pipeline.stages import STAGES

__all__ = ["EXECUTORS", "STAGES", "Executor", "Output", "Stage", "Where", "run"]
