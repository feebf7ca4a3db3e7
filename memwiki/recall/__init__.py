"""Question -> answer: query, candidates, names, phrases, excerpt."""
