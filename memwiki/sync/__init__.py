"""The live index of a workspace: synced with the files, opened for reading, rebuilt."""
