"""The commands, one small file for each group."""
