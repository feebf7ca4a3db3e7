"""The command `memwiki`."""

from __future__ import annotations

import sys

from memwiki.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
