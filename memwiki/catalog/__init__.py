"""Pages into index.md files: what each lists, how it is cut to a size, and how it reads; pure."""
