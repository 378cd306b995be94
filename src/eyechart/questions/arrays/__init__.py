"""Numbers for words, and rows of different lengths."""
