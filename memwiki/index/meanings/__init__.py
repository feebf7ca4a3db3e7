"""What every link means: resolved once, kept beside the cards, and asked."""
