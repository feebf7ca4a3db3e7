"""The commands that feed the index, look after it and say how it is."""
