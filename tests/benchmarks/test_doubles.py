"""Most seeded duplicates are shown to whoever joins them, and none of it is ever taken unseen."""

from __future__ import annotations

import doubles


def test_over_90_percent_of_seeded_duplicates_are_found(tmp_path):
    seeded = doubles.made(3, duplicates=20, facts=60)
    assert len(seeded.sentences) == len(set(seeded.sentences)) == 80
    assert doubles.made(3, duplicates=20, facts=60) == seeded
    result = doubles.curated(tmp_path, seeded)
    assert result.found >= 18 and result.proposed == result.found
    assert result.unflagged == 0 and result.requests <= 5
