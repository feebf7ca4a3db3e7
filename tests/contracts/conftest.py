"""What the suites of models share with the tests of each: a run against a scripted server."""

from tests.models.conftest import ledger, run, time

__all__ = ["ledger", "run", "time"]
