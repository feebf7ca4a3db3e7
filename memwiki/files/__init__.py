"""The truth: the files of a workspace, found, read and written safely."""
