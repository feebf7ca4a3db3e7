"""A graph of Logseq comes in whole: its properties are fields, its names and blocks link targets.

Modelled on the graph of Logseq's own documentation, github.com/logseq/docs.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from imported import Files, imported

from memwiki.adapters.importers import logseq
from memwiki.markdown.links import is_no_name
from memwiki.nouns import Layers

CONFIG = {"logseq/config.edn": '{:file/name-format :triple-lowbar ; "x"\n}'}
ONE, TWO = "63500411-87b0-4d62-a9ac-5b5418bc3201", "634fb9a8-cab9-441e-b476-41fa828010ea"


def test_a_graph_is_recognised_by_its_settings_or_its_folders():
    assert logseq.is_kind(Files(CONFIG))
    assert logseq.is_kind(Files({"backup/logseq/config.edn": "{}"}))
    assert logseq.is_kind(Files({"pages/a.md": "", "journals/2026_01_02.md": ""}))
    assert not logseq.is_kind(Files({"pages/a.md": "", "journals/2026-01-02.md": ""}))


def test_page_properties_are_fields_and_the_rest_stays_as_it_is():
    text = "type:: [[Tool]], old\ntags:: [[Hand tools]], wood\nalias:: rasp, [[coarse file]]\n"
    text += "full-title:: a: b # c\r\npublic:: true\n\n- Cut.\n  collapsed:: true\n\t- TODO x\n"
    made = imported(logseq, {**CONFIG, "pages/File.md": text})
    page = made.pages["wiki/File.md"]
    assert page.front_matter.fields == {
        "type": "[[Tool]], old",
        "tags": ["[[Hand tools]]", "Hand tools", "wood"],
        "alias": ["rasp", "coarse file"],
        "full-title": "a: b # c",
        "public": "true",
    }
    assert (page.tags, page.aliases) == (("Hand tools", "wood"), ("rasp", "coarse file"))
    assert page.text.endswith("---\n\n- Cut.\n  collapsed:: true\n\t- TODO x\n")
    assert [link.written for link in page.links] == ["Tool", "Hand tools"]


def test_pages_of_a_namespace_are_in_its_folder_and_answer_to_their_name():
    files = {
        "pages/setting___theme modes.md": "- one\n",
        "pages/What is this%3F.md": "- two\n",
        "pages/a%2Fb.md": "- three\n",
        "pages/x.md": "title:: Named/Otherwise\n\n- four\n",
        "pages/y.md": "- [[setting/theme modes]] [[What is this?]] [[a/b]] [[Named/Otherwise]]\n",
    }
    made = imported(logseq, {**CONFIG, **files})
    assert made.by_source["pages/setting___theme modes.md"] == "wiki/setting/theme modes.md"
    assert made.targets("wiki/y.md") == [made.by_source[name] for name in sorted(files)[:0]] + [
        "wiki/setting/theme modes.md",
        "wiki/What is this-.md",
        "wiki/a/b.md",
        "wiki/Named/Otherwise.md",
    ]
    assert made.text("wiki/setting/theme modes.md") == "- one\n"
    assert made.pages["wiki/What is this-.md"].aliases == ("What is this?",)


def test_in_an_old_graph_a_full_stop_may_be_a_slash():
    made = imported(logseq, {"logseq/config.edn": "{}", "pages/v1.2.md": "- x\n"})
    assert made.named("v1.2") == made.named("v1/2") == "wiki/v1.2.md"


def test_journals_are_daily_notes_that_answer_to_the_name_of_their_day():
    setting = '{:journal/page-title-format "EEEE, do MMMM yyyy"}'
    files = {"journals/2026_01_02.md": "- x\n", "pages/a.md": "- [[Friday, 2nd January 2026]]\n"}
    made = imported(logseq, {"logseq/config.edn": setting, **files})
    assert made.targets("wiki/a.md") == ["daily/2026-01-02.md"]
    usual = imported(logseq, {**CONFIG, "journals/2026_01_21.md": "-"})
    assert usual.pages["daily/2026-01-21.md"].aliases == ("Jan 21st, 2026",)


def test_references_to_blocks_become_links_to_anchors():
    files = {
        "pages/Saw.md": f"- ## Use\n  id:: {ONE}\n  text\n- ```\n  code\n  ```\n  id:: {TWO}\n",
        "pages/Note.md": (
            f"- (({ONE})), [how]((({TWO}))) and `(({ONE}))`\n"
            f"- {{{{embed (({TWO.upper()}))}}}} {{{{embed [[Saw]]}}}} [see]([[Saw]])\n"
            "- ((00000000-0000-0000-0000-000000000000)) [x]([[None]]) {{embed [[None]]}}\n"
        ),
    }
    made = imported(logseq, {**CONFIG, **files})
    assert made.text("wiki/Saw.md") == (
        f"- ## Use ^{ONE}\n  text\n- ```\n  code\n  ```\n  ^{TWO}\n"
    )
    assert made.text("wiki/Note.md") == (
        f"- [[Saw#^{ONE}]], [[Saw#^{TWO}|how]] and `(({ONE}))`\n"
        f"- ![[Saw#^{TWO}]] ![[Saw]] [[Saw|see]]\n"
        "- ((00000000-0000-0000-0000-000000000000)) [[None|x]] {{embed [[None]]}}\n"
    )
    assert made.targets("wiki/Note.md") == ["wiki/Saw.md"] * 5 + [""] * 2
    assert set(made.pages["wiki/Saw.md"].block_ids) == {ONE, TWO}
    assert made.incoming.notes[0].startswith("1 reference ((id))")


def test_blocks_that_refer_to_each_other_are_links_and_no_more():
    page = f"- a (({TWO}))\n  id:: {ONE}\n- b (({ONE}))\n  id:: {TWO}\n"
    made = imported(logseq, {**CONFIG, "pages/P.md": page})
    assert made.text("wiki/P.md") == f"- a [[P#^{TWO}]] ^{ONE}\n- b [[P#^{ONE}]] ^{TWO}\n"


def test_links_to_assets_are_right_from_every_folder():
    image = b"\x89PNG\x00"
    files = {"assets/a b.png": image, "journals/2026_01_02.md": "- ![x](../assets/a b.png)\n"}
    files["pages/a___b.md"] = "- ![x](<../assets/a b.png>) ![y](../assets/a%20b.png)\n"
    files["pages/c.md"] = "- ![x](../assets/a%20b.png) ![w](https://example.org/a.png)\n"
    made = imported(logseq, {**CONFIG, **files})
    assert made.files["assets/a b.png"] == image
    assert made.text("wiki/c.md") == files["pages/c.md"]
    assert made.targets("wiki/a/b.md") == ["assets/a b.png"] * 2
    assert "../../assets/a%20b.png" in made.text("wiki/a/b.md")


def test_a_link_leads_to_its_page_though_another_one_ends_in_the_same_name():
    files = {"pages/Query.md": "- 1\n", "pages/Docs___Query.md": "- 2\n"}
    files["pages/Docs___Start.md"] = "- [[Query]], [[Docs/Query]] and [[query#^x|all]]\n"
    made = imported(logseq, {**CONFIG, **files})
    assert made.targets("wiki/Docs/Start.md") == [
        "wiki/Query.md",
        "wiki/Docs/Query.md",
        "wiki/Query.md",
    ]
    assert "[[wiki/Query|Query]], [[Docs/Query]]" in made.text("wiki/Docs/Start.md")


def test_blocks_below_a_heading_without_bullet_are_no_code():
    page = f"## Use\n\t- [[Saw]]\n## More\nid:: {ONE}\n\t- x\n## Plain\n- y\n"
    made = imported(logseq, {**CONFIG, "pages/P.md": page, "pages/Saw.md": "-"})
    assert made.targets("wiki/P.md") == ["wiki/Saw.md"]
    assert made.text("wiki/P.md") == (
        f"- ## Use\n\t- [[Saw]]\n- ## More ^{ONE}\n\t- x\n## Plain\n- y\n"
    )


def test_what_no_field_can_say_stays_in_the_text():
    page = "a:: 1\na:: 2\nlong:: " + "x" * 50_000 + "\nb:: 3\n\n- end\n"
    made = imported(logseq, {**CONFIG, "pages/P.md": page})
    assert made.pages["wiki/P.md"].front_matter.fields == {"a": "1", "b": "3"}
    assert "---\na:: 2\nlong:: " + "x" * 50_000 + "\n\n- end\n" in made.text("wiki/P.md")


def test_a_daily_note_that_is_there_keeps_what_it_says():
    files = {**CONFIG, "journals/2026_01_02.md": "- from Logseq\n\t- below\n- both\n"}
    held = {"daily/2026-01-02.md": "---\nmood: good\n---\n- both\n- mine"}
    made = imported(logseq, files, held)
    text = made.text("daily/2026-01-02.md")
    assert text.endswith("---\n- both\n- mine\n- from Logseq\n\t- below\n")
    assert made.pages["daily/2026-01-02.md"].front_matter.fields["mood"] == "good"
    again = imported(logseq, files, {"daily/2026-01-02.md": text})
    assert again.text("daily/2026-01-02.md") == text
    assert all(file.is_united for file in again.incoming.files if file.path.startswith("daily"))


def test_a_vault_without_layers_gets_pages_and_journals_where_they_were():
    files = {"pages/a___b.md": "-", "journals/2026_01_02.md": "-", "logseq/custom.css": "x"}
    made = imported(logseq, {**CONFIG, **files}, layers=Layers())
    assert set(made.files) == {
        "pages/a/b.md",
        "journals/2026-01-02.md",
        "logseq/custom.css",
        "logseq/config 3a617f0f.edn",
    }


def test_what_is_no_text_is_taken_as_it_is_and_backups_are_not():
    files = {"pages/bad.md": b"- \xff\xfe x\n", "pages/old.org": "* x", "draws/a.excalidraw": "{}"}
    files |= {
        "logseq/bak/pages/a/1.md": "-",
        ".git/config": "x",
        "pages/crlf.md": "a:: 1\r\n- x\r\n",
    }
    made = imported(logseq, {**CONFIG, **files})
    assert made.files["wiki/bad.md"] == b"- \xff\xfe x\n"
    assert made.files["draws/a.excalidraw"] == b"{}"
    assert made.files["raw/logseq/pages/old.org"] == b"* x"
    assert made.files["raw/logseq/config.edn"] == CONFIG["logseq/config.edn"].encode()
    assert made.text("wiki/crlf.md") == "---\r\na: 1\r\n---\r\n- x\r\n"
    assert not any("bak" in path or ".git" in path for path in made.files)
    assert len(made.incoming.notes) == 3


# --- any graph ---

NAME_LETTERS = "aB:?*.- 文é\u0301#%&'\"|<>~"
WORDS = st.text("ab 文.é\u0301", min_size=1, max_size=8).map(str.strip).filter(bool)
NAMES = (
    st.lists(
        st.text(NAME_LETTERS, min_size=1, max_size=6).map(str.strip).filter(bool),
        min_size=1,
        max_size=3,
    )
    .map("/".join)
    .filter(lambda name: name[0] not in ".~#")
)  # as systems name what they leave behind
KEYS = st.sampled_from(["type", "alias", "tags", "a-b", "作者", "x.y", "null", "status"])
VALUES = st.one_of(WORDS, st.text("ab:#[]{}&*!|>'\"%@`, -?\\文\x07\u2028", max_size=12))


def file_name(name: str) -> str:
    """As Logseq names the file of a page."""
    encoded = "".join(f"%{ord(c):02X}" if c in '%:?*"|<>#\\' else c for c in name)
    return f"pages/{encoded.replace('/', '___')}.md"


@st.composite
def graphs(draw):
    """Names with their properties and their blocks: words, whether it has an id, what it refers
    to."""
    names = draw(st.lists(NAMES, min_size=1, max_size=5, unique_by=str.casefold))
    block = st.tuples(WORDS, st.booleans(), st.integers(0, 9), st.integers(0, 9))
    pages = {}
    for name in names:
        fields = draw(st.dictionaries(KEYS, VALUES, max_size=4))
        pages[name] = fields, draw(st.lists(block, max_size=3))
    return pages


def written(pages):
    """The files of a graph, and which page and words each id of a block belongs to."""
    ids, files, names = {}, dict(CONFIG), list(pages)
    for name, (_, blocks) in pages.items():
        for words, has_id, *_ in blocks:
            if has_id:
                ids[f"00000000-0000-4000-8000-{len(ids):012}"] = name, words
    own = iter(ids)
    for name, (fields, blocks) in pages.items():
        lines = [f"{key}:: {value}" for key, value in fields.items()]
        for words, has_id, page, block in blocks:
            reference = f"(({list(ids)[block % len(ids)]}))" if ids else ""
            lines.append(f"- {words} {reference} [[{names[page % len(names)]}]]")
            lines += [f"  id:: {next(own)}"] if has_id else []
        files[file_name(name)] = "\n".join(lines)
    return files, ids


@given(graphs())
def test_nothing_of_any_graph_is_lost(pages):
    files, ids = written(pages)
    made = imported(logseq, files)
    assert len(made.files) == len(files)
    for name, (fields, blocks) in pages.items():
        page = made.pages[made.by_source[file_name(name)]]
        assert_has_fields(page, fields)
        for words, *_ in blocks:
            assert f"- {words}" in page.text
    for id_, (name, words) in ids.items():
        page = made.pages[made.by_source[file_name(name)]]
        line = page.text.split("\n")[page.block_ids[id_] - 1]
        assert line.startswith((f"- {words}", f"  ^{id_}"))
    again = imported(logseq, files, made.files)
    assert again.files == made.files


def assert_has_fields(page, fields):
    """Each property is a field that says the same, or the line it was."""
    for key, given_ in fields.items():
        value = given_.strip()
        if f"{key}:: {value}".rstrip() in page.text:
            continue
        said = page.front_matter.fields[key]
        if isinstance(said, str):
            assert said == value
        else:
            plain = str.maketrans("", "", "[]# ")
            names = {each.translate(plain).strip() for each in value.split(",")}
            assert names - {""} <= {each.translate(plain).strip() for each in said}


@given(graphs())
def test_every_link_of_any_graph_leads_where_it_led(pages):
    plain = {name for name in pages if not (is_no_name(name) or set(name) & set("#|"))}
    pages = {name: ({}, blocks) for name, (_, blocks) in pages.items() if name in plain}
    files, ids = written(pages) if pages else (dict(CONFIG), {})
    made = imported(logseq, files)
    for name, (_, blocks) in pages.items():
        path, names = made.by_source[file_name(name)], list(pages)
        links = iter(made.pages[path].links)
        for _, _, page, block in blocks:
            if ids:
                owner = ids[list(ids)[block % len(ids)]][0]
                assert made.target(next(links), path) == made.by_source[file_name(owner)]
            meant = made.by_source[file_name(names[page % len(names)])]
            assert made.target(next(links), path) == meant
