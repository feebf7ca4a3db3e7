"""The command `memwiki`."""

from __future__ import annotations

import sys

from memwiki.cli.warm.client import answered


def main() -> int:
    """Have the command answered by a process that has everything loaded, or run it here."""
    code = answered()
    if code is None:
        from memwiki.cli.main import main as run

        code = run()
    return code


if __name__ == "__main__":
    sys.exit(main())
