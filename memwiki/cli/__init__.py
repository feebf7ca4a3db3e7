"""Door 1: the command line, one small file per group of commands."""
