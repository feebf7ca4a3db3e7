"""What git knows about the pages of a workspace; the only room that runs git."""
