"""Write the file of the next step: what the declared tables have beyond what the steps make so far."""

import sys

from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

from eyechart.database.migrating import STEPS, configuration

number = len(list(ScriptDirectory(str(STEPS)).walk_revisions())) + 1
with create_engine("sqlite://").connect() as connection:
    config = configuration(connection)
    if number > 1:
        command.upgrade(config, "head")
    command.revision(config, sys.argv[1], autogenerate=True, rev_id=f"{number:04}")
