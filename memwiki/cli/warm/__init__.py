"""A process that has everything loaded and answers commands: who asks it, and how it answers."""
