"""The old name of `memwiki.adapters.frameworks`, which goes with the next release."""

from __future__ import annotations

import sys
import warnings
from importlib import import_module

from memwiki.importing import ADAPTERS

warnings.warn(
    f"memwiki.integrations is {ADAPTERS['frameworks']} now", DeprecationWarning, stacklevel=2
)
__path__: list[str] = []  # a package whose modules are known already
for _name in (
    "anthropic_memory",
    "langchain_memory",
    "langgraph_store",
    "llama_index_memory",
    "openai_agents_memory",
):
    globals()[_name] = import_module(f"{ADAPTERS['frameworks']}.{_name}")
    sys.modules[f"{__name__}.{_name}"] = globals()[_name]
