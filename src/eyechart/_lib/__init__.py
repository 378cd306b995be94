"""What knows nothing of questions and pictures: files, hashes, progress."""
