"""The pages of challenges: boards for everybody, uploads for participants, flags and releases for hosts."""
