"""Every change of the truth: a plan, and the one function that applies plans."""
