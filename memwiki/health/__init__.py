"""What state the index is in, and what to do next."""
