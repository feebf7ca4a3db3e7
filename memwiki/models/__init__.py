"""Models that a user chose: what they are to the rest of memwiki, and how they are reached."""
