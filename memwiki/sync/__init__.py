"""The index of a workspace: kept in step, opened for reading, healed."""
