"""What is private is in no catalog, nor in what is browsed, which has the same lines."""


def test_a_private_page_is_in_no_catalog(root, put, catalogued):
    put("a.md", "# A\n")
    put(
        "wiki/hid.md", "---\nprivate: true\ntags: [secret-tag]\n---\n# Hidden\n\n[[Nobody]] [[a]]\n"
    )
    put("wiki/also.md", "---\nprivate: yes\n---\n# Also\n\n[[Nobody]] [[a]]\n")
    ws = catalogued()
    ws.sync()
    text = "".join(path.read_text() for path in root.rglob("index*.md"))
    assert "[A](a.md)" in text
    for secret in ("Hidden", "hid.md", "secret-tag", "Also", "Nobody", "linked from"):
        assert secret not in text
    put("wiki/hid.md", "# Hidden\n")
    ws.sync()
    assert "Hidden" in "".join(path.read_text() for path in root.rglob("index*.md"))


def test_links_of_private_entries_are_not_counted(root, put, catalogued):
    for number in range(3):
        put(f"p{number}.md", "---\ntype: memory\n---\n- Asked [[Nobody]]. [private:: true]\n")
    catalogued().sync()
    assert "Nobody" not in (root / "index.md").read_text()


def test_what_is_private_is_not_browsed(put, catalogued):
    put("a.md", "---\ntags: [open]\n---\n# A\n")
    put("hid.md", "---\nprivate: true\ntags: [secret-tag]\ntype: concept\n---\n# Hidden\n")
    put("memory.md", "- Rice is white.\n- Ann hides rice. [private:: true]\n")
    ws = catalogued()
    for asked in ({}, {"type": "concept"}, {"tag": "secret-tag"}, {"what": "memories"}):
        said = str(ws.browse(**asked))
        assert "Hidden" not in said
        assert "secret-tag" not in said
        assert "hides" not in said
    assert [tag for tag in str(ws.browse(what="tags")).split() if "open" in tag]
    assert ws.browse(what="memories").total == 1
