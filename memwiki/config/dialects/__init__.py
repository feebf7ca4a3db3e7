"""What other programs' settings say of a folder that they keep too: one file a program, pure; and
which of them applies."""
