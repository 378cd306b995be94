"""The steps from each released schema to the next, for Alembic."""
