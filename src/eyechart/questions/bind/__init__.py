"""Facts of pictures as rows of variables: the world in numbers, references, decoys, counts."""
