"""Sessions: messages added, what leaves for the archive, and what comes from other programs."""
