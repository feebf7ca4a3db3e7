"""What a model is asked to do for a memory: jobs, each a prompt and a form of reply, that end in
proposals, in an answer or in a plan for recall. All of it needs the extra `models`, also to hand a
job over and to take its reply."""

from importlib.util import find_spec

from memwiki.errors import MissingExtraError

if find_spec("pydantic") is None:
    raise MissingExtraError("models", "pydantic")
