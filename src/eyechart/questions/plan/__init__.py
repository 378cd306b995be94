"""From facts to questions: references, words, programs, rows of tables."""
