"""Tools for models: the same words as the command line, each answer within a budget."""
