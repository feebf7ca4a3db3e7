"""What agents' programs call at moments of a conversation: memory comes in, what was said is
kept."""
