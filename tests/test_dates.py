"""Dates as people and tools write them come out as ISO 8601."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.dates import iso_date


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("2026-01-09", "2026-01-09"),
        ("2026-1-9", "2026-01-09"),
        ("2026/01/09", "2026-01-09"),
        ("20260109", "2026-01-09"),
        ("2026", "2026"),
        ("2026-01", "2026-01"),
        ("11/04/2016", "2016-11-04"),
        ("25/12/2024", "2024-12-25"),
        ("2026-01-09T10:00", "2026-01-09T10:00:00"),
        ("2026-01-09 9:05", "2026-01-09T09:05:00"),
        ("2026-01-09 10:00:01", "2026-01-09T10:00:01"),
        ("2026-01-09T10:00:00Z", "2026-01-09T10:00:00Z"),
        ("2026-01-09T10:00:00.123z", "2026-01-09T10:00:00Z"),
        ("2026-01-09T10:00:00+02:00", "2026-01-09T08:00:00Z"),
        ("2026-01-09 10:00:00 UTC", "2026-01-09T10:00:00Z"),
        ("1700000000", "2023-11-14T22:13:20Z"),
        ("1700000000000", "2023-11-14T22:13:20Z"),
        (" '2026-01-09' ", "2026-01-09"),
    ],
)
def test_a_date_is_read(written, expected):
    assert iso_date(written) == expected


@pytest.mark.parametrize(
    "written",
    ["", "soon", "2026-13-01", "31/31/2024", "2026-01-09 25:00", "2026-01-09 10:00 CET", "12345"],
)
def test_what_is_no_date_is_empty(written):
    assert iso_date(written) == ""


@given(st.text())
def test_reading_a_date_never_raises(text):
    iso_date(text)
