"""What a model is asked to do for a memory: jobs, each a prompt and a form of reply, that end in
proposals."""
