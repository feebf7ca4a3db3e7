"""The old name of `memwiki.adapters.memory_tool`, which goes with the next release."""

from __future__ import annotations

import sys
import warnings

from memwiki.importing import ADAPTERS, adapter

warnings.warn(
    f"memwiki.doors.memory_tool is {ADAPTERS['memory-tool']} now", DeprecationWarning, stacklevel=2
)
sys.modules[__name__] = adapter("memory-tool")
