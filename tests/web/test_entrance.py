"""Who is let in, and what a browser is told."""

from __future__ import annotations

import pytest

from memwiki.web.app import OPEN, ROUTES, view_of
from tests.effort import for_each
from tests.web.conftest import BASE, PORT

HERE = {"origin": BASE, "sec-fetch-site": "same-origin"}


def filled(path: str) -> str:
    for name in ("{path:path}", "{id:path}", "{id}"):
        path = path.replace(name, "tea.md")
    return path.replace("{version}", "0")


def name_of(row) -> str:
    return f"{row.method} {row.path}"


CLOSED = [row for row in ROUTES if not row.path.startswith(OPEN)]


@for_each("row", ROUTES)
def test_every_row_of_the_table_has_a_view(row):
    assert callable(view_of(row))
    assert row.method in ("GET", "POST")
    assert not (row.writes and row.method == "GET")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 421),
        ({"host": f"127.0.0.1:{PORT + 1}"}, 421),
        ({"host": f"127.0.0.1.evil.example:{PORT}"}, 421),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": f"http://127.0.0.1:{PORT + 1}"}, 403),
        ({"origin": "null"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
    ],
    ids=str,
)
def test_other_names_and_other_pages_are_refused(visit, headers, status):
    asked = visit()
    for row in ROUTES:
        answer = asked.request(row.method, filled(row.path), headers={**HERE, **headers}, json={})
        assert answer.status_code == status, row
        assert "access-control-allow-origin" not in answer.headers, row


def test_without_the_key_nothing_is_told(visit):
    """--- tea.md ---
    # Tea
    """
    stranger = visit(is_known=False)
    for row in CLOSED:
        answer = stranger.request(row.method, filled(row.path), json={})
        assert answer.status_code == 401, row
        assert "Tea" not in answer.text, row


def test_the_key_is_exchanged_for_a_cookie(visit):
    stranger = visit(is_known=False)
    assert stranger.send_json("/session", key="wrong").status_code == 401
    assert stranger.get("/").status_code == 401
    answer = stranger.send_json("/session", key=stranger.site.key.token)
    assert answer.status_code == 200
    cookie = answer.headers["set-cookie"].lower()
    assert cookie.startswith(f"memwiki-{PORT}=")
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert stranger.site.key.token not in cookie
    assert stranger.get("/").status_code == 200


def test_a_browser_is_bound(visit):
    headers = visit().get("/").headers
    policy = headers["content-security-policy"]
    for part in (
        "default-src 'none'",
        "script-src 'self';",
        "require-trusted-types-for 'script'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    ):
        assert part in policy
    assert "unsafe" not in policy
    assert "frame-src" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cross-origin-resource-policy"] == "same-origin"


def test_only_json_is_taken(visit):
    asked = visit()
    answer = asked.post("/session", data={"key": asked.site.key.token})
    assert answer.status_code == 415
    assert asked.post("/session", json=["key"]).status_code == 400
    large = asked.send_json("/session", key="x" * 1_100_000)
    assert large.status_code == 413


def test_scripts_and_styles_are_kept_by_browsers(visit):
    asked = visit(is_known=False)
    page = asked.get("/").text
    address = page.partition('<link rel="stylesheet" href="')[2].partition('"')[0]
    answer = asked.get(address)
    assert answer.headers["content-type"].startswith("text/css")
    assert "immutable" in answer.headers["cache-control"]
    assert asked.get("/static/0/../../../app.py").status_code in (401, 404)
    assert asked.get("/static/0/..%2fapp.py").status_code in (401, 404)


@pytest.mark.parametrize("address", ["/static/x", "/static/x/y.js", "/sessions"])
def test_what_is_open_to_everybody_does_not_name_the_workspace(visit, root, address):
    answer = visit(is_known=False).get(address)
    assert answer.status_code == 404
    assert root.name not in answer.text
