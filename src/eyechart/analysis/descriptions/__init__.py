"""What can be told of a benchmark, one file per side of it."""
