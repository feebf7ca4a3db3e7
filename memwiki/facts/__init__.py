"""What follows from what is written of a memory, and from its use; recall weighs it."""
