"""A page over a workspace that a test writes, asked without a socket."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("jinja2")
pytest.importorskip("nh3")

from starlette.testclient import TestClient

from memwiki.web.app import web_app
from memwiki.web.site import AccessKey, Site
from memwiki.workspace import Workspace

PORT = 8717
BASE = f"http://127.0.0.1:{PORT}"


class Visitor(TestClient):
    """A browser that has the key, and says where its requests come from."""

    site: Site

    def send_json(self, address: str, **body: Any):
        """POST as a page of ours does."""
        return self.post(address, json=body)


def visitor(workspace: Workspace, *, is_known: bool = True, **options: Any) -> Visitor:
    site = Site(workspace, AccessKey("k" * 43, PORT), **options)
    found = Visitor(web_app(site), base_url=BASE, raise_server_exceptions=True)
    found.site = site
    found.headers.update({"origin": BASE, "sec-fetch-site": "same-origin"})
    if is_known:
        found.cookies.set(site.key.cookie, site.key.session)
    return found


@pytest.fixture
def visit(opened) -> Iterator[Callable[..., Visitor]]:
    """Opens the page of the test's workspace: `visit(is_read_only=True)`."""
    shown = list[Visitor]()

    def open_one(*, namespace: str | None = None, **options: Any) -> Visitor:
        shown.append(visitor(opened(namespace=namespace), **options))
        return shown[-1]

    yield open_one
    for each in shown:
        each.close()
        each.site.close()
