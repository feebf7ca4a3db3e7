"""Sources: kept in raw/ as they came, with a page about each, and what they say as proposals."""

from __future__ import annotations

import json
import re
from hashlib import sha256

import pytest

from memwiki.errors import (
    AlreadyExistsError,
    ConfigError,
    NotEditableError,
    NotFoundError,
    UsageError,
)
from memwiki.present.curation import state_text
from tests.ingest.conftest import CHEAPER, COSTS, LIE, MOVES, SOURCE, STUDY


def files(root):
    return {p: p.read_bytes() for p in root.rglob("*") if p.suffix == ".md" and p.name != "log.md"}


def states(view):
    return [(each.do, each.state) for each in view.operations]


def test_a_source_is_kept_as_it_came_with_a_page_about_it(space, root):
    before = files(root)
    kept = space.curation.keep(SOURCE.encode(), "Heat Pumps.md", resource="https://example.org/hp")
    assert (kept.source, kept.text) == ("raw/heat-pumps.md", "raw/heat-pumps.md")
    assert (root / kept.source).read_bytes() == SOURCE.encode()
    page = space.pages.get(kept.page)
    assert (page.path, page.title, page.type) == (
        "wiki/sources/heat-pumps-in-old-houses.md",
        "Heat pumps in old houses",
        "source",
    )
    assert "\nresource: https://example.org/hp\n" in (root / kept.page).read_text()
    assert page.fields["sha256"] == sha256(SOURCE.encode()).hexdigest() == kept.sha256
    assert page.fields["retrieved"]
    assert '\nsources: ["[[raw/heat-pumps]]"]\n' in (root / kept.page).read_text()
    assert space.journal.list().entries[0].op == "ingest"
    space.undo()
    assert files(root) == before


def test_what_is_kept_is_not_kept_twice(space, root, kept):
    before = files(root)
    again = space.curation.keep(SOURCE.encode(), "another name.txt")
    assert (again.source, again.page, again.edited.paths) == (kept.source, kept.page, ())
    assert files(root) == before


def test_the_address_of_what_is_kept_already_is_noted_on_its_page(space, root):
    kept = space.curation.keep(SOURCE.encode(), "heat pumps.md")
    before, address = files(root), "https://example.org/hp"
    again = space.curation.keep(SOURCE.encode(), "hp.md", resource=address)
    assert (again.edited.paths, again.edited.notes) == ((kept.page,), ())
    assert f"\nresource: {address}\n" in (root / kept.page).read_text()
    space.undo()
    assert files(root) == before


def test_what_the_page_of_a_kept_source_says_already_stays(space, root, kept):
    before = files(root)
    given = {"resource": "https://example.org/other", "title": "Another title"}
    again = space.curation.keep(SOURCE.encode(), "hp.md", **given)
    assert files(root) == before and not again.edited.paths
    assert again.edited.notes == (
        f"{kept.page}: its resource is https://example.org/hp, and stays so",
        f"{kept.page}: its title is Heat pumps in old houses, and stays so",
    )


def test_a_file_that_somebody_put_into_raw_gets_its_page(space, root, put):
    put("raw/papers/hp.md", SOURCE)
    kept = space.curation.keep(SOURCE.encode(), "raw/papers/hp.md")
    assert (kept.source, kept.edited.paths) == ("raw/papers/hp.md", (kept.page,))
    assert not (root / "raw/hp.md").exists()


def test_a_dry_run_writes_nothing(space, root):
    before = files(root)
    kept = space.curation.keep(SOURCE.encode(), "hp.md", dry_run=True)
    assert "+Source: [[raw/hp]]" in kept.edited.diff and files(root) == before


@pytest.mark.parametrize(
    "name, title, path",
    [
        ("note.txt", "", "wiki/sources/note.md"),
        ("-", "A note", "wiki/sources/a-note.md"),
        ("C:\\papers\\index.txt", "", "wiki/sources/index-page.md"),
        ("笔记.txt", "", "wiki/sources/笔记.md"),
    ],
)
def test_a_title_is_given_or_that_of_the_file(space, name, title, path):
    kept = space.curation.keep(b"Only words.\n", name, title=title)
    assert kept.page == path


def test_a_name_that_is_no_unicode_is_kept_in_a_way_that_can_be_read(space, root):
    kept = space.curation.keep(b"Only words.\n", "bad\udcff\u202ename.txt")
    assert kept.source == "raw/bad-name.md"
    assert "- source: bad\\u{dcff}\\u{202e}name.txt\n" in (root / "log.md").read_text()


@pytest.mark.parametrize("given", ["resource", "title"])
def test_what_is_noted_of_a_source_is_text(space, root, given):
    before = files(root)
    with pytest.raises(UsageError, match="is not valid Unicode"):
        space.curation.keep(b"Only words.\n", "note.txt", **{given: "x\udcff"})
    assert files(root) == before


def test_what_was_piped_in_needs_a_title(space):
    with pytest.raises(UsageError, match="has no title"):
        space.curation.keep(b"Only words.\n", "-")


def test_a_page_of_the_same_title_stays_what_it_is(space, root):
    text = b"# School\n\nAnother school.\n"
    kept = space.curation.keep(text, "school.md")
    assert kept.page == "wiki/sources/school-source.md"
    with pytest.raises(AlreadyExistsError, match="a page is called so already"):
        space.curation.keep(b"More of it.\n", "more.md", title="School")


def test_another_source_of_the_same_name_goes_beside_it(space):
    one = space.curation.keep(b"First words of one.\n", "report.txt")
    other = space.curation.keep(b"Nothing alike at all.\n", "report.txt")
    assert (one.source, other.source) == ("raw/report.md", "raw/report-2.md")
    assert one.page != other.page


def test_without_a_folder_of_sources_none_is_kept(opened, put):
    put("memwiki.toml", "")
    with pytest.raises(ConfigError, match="no folder of sources"):
        opened().curation.keep(b"Words.\n", "a.txt")


def test_a_source_of_a_namespace_stays_in_it(opened, write_blocks, root):
    write_blocks(
        '--- memwiki.toml ---\n[layers]\nraw = "raw"\nwiki = "wiki"\n'
        'namespaces = "namespaces"\n--- namespaces/home/wiki/a.md ---\n# A\n'
    )
    kept = opened(namespace="home").curation.keep(SOURCE.encode(), "hp.md")
    assert kept.source == "namespaces/home/raw/hp.md"
    assert kept.page.startswith("namespaces/home/wiki/sources/")


# --- the job ---


def test_a_source_becomes_claims_on_the_pages_that_they_are_about(space, root, kept, asked):
    before = files(root)
    brief, pages, reply = asked(kept)
    assert "Tags in use: heating" in brief.text and brief.job == "ingest/1"
    assert "0 Heat pumps in old houses (the page of the source)" in brief.text
    view = reply(
        STUDY,
        {**MOVES, "new": "Heat pump"},
        {**COSTS, "page": pages["Gas boiler, section Costs"]},
        LIE,
        contradictions=[{**CHEAPER, "page": pages["Gas boiler"]}],
        description={"lines": [3], "text": "A field study of 2024 in 40 old houses."},
        tags=["Heating", "old houses", "field study"],
    )
    assert states(view) == [
        ("describe_page", "open"),
        ("add_claims", "open"),
        ("add_claims", "aside"),
        ("add_page", "open"),
        ("add_claims", "open"),
        ("note_contradiction", "open"),
    ]
    done = space.proposals.decide(view.id, accept="all")
    assert done.accepted == (1, 2, 4, 5, 6), done
    boiler = (root / "wiki/boiler.md").read_text()
    costs = boiler.partition("## Costs")[2].partition("##")[0]
    assert "A gas boiler cost 4000 euros in 2024. [^h1]" in costs
    assert "[^h1]: [[raw/heat-pumps]] line 7" in costs
    assert "[[wiki/sources/heat-pumps-in-old-houses]]: A heat pump heats" in boiler
    about = space.pages.get(kept.page)
    assert about.tags == ("heating", "old-houses", "field-study")
    assert about.fields["description"] == "A field study of 2024 in 40 old houses."
    assert "[[wiki/boiler]]: A heat pump heats" in about.text
    assert "## Pages\n\n- [[wiki/concepts/heat-pump]]\n- [[wiki/boiler]]\n" in about.text
    backlinks = {row.source for row in space.graph.links("raw/heat-pumps", direction="in").links}
    assert backlinks == {kept.page, "wiki/boiler.md", "wiki/concepts/heat-pump.md"}
    found = [each for each in space.check.run().problems if each.severity != "info"]
    assert found == []
    space.undo()
    assert files(root) == before


def test_a_page_that_is_there_takes_what_was_meant_for_a_new_one(space, kept, asked):
    _, _, reply = asked(kept)
    view = reply({**COSTS, "new": "gas boiler"}, {**MOVES, "new": "Heat pump"})
    assert [each.values.get("page", "") for each in view.operations] == ["wiki/boiler.md", ""]


def test_numbers_that_a_model_made_up_name_the_page_of_the_source(space, kept, asked):
    _, _, reply = asked(kept)
    view = reply(
        {**STUDY, "page": 99}, {**MOVES, "page": -1}, contradictions=[{**CHEAPER, "page": 9}]
    )
    assert [each.values["page"] for each in view.operations] == [kept.page]


def test_more_new_pages_than_are_wanted_go_to_the_page_of_the_source(opened, write_blocks):
    write_blocks(
        '--- memwiki.toml ---\n[layers]\nraw = "raw"\nwiki = "wiki"\n[ingest]\nmax_pages = 1\n'
    )
    space = opened()
    kept = space.curation.keep(SOURCE.encode(), "hp.md")
    brief = space.curation.ingest_brief(kept.text)
    claims = [{**MOVES, "new": "Heat pump"}, {**COSTS, "new": "Gas boiler"}]
    view = space.curation.reply(brief.id, json.dumps({"claims": claims}))
    assert [each.do for each in view.operations] == ["add_page", "add_claims"]
    assert view.operations[1].values["page"] == kept.page


def test_a_source_that_no_page_is_about_is_kept_first(space, put):
    put("raw/loose.md", SOURCE)
    with pytest.raises(NotFoundError, match="no page is about this source"):
        space.curation.ingest_brief("raw/loose.md")


def test_what_is_withheld_is_in_no_brief(opened, write_blocks, root, kept):
    settings = (root / "memwiki.toml").read_text()
    (root / "memwiki.toml").write_text(f'{settings}[models]\nwithhold = ["wiki/boiler.md"]\n')
    text = opened().curation.ingest_brief(kept.text).text
    assert "boiler.md" not in text and "Gas boiler |" not in text
    assert "heating" not in text  # a tag of that page alone


def test_what_is_stored_stands_between_marks_in_a_brief(space, kept):
    text = space.curation.ingest_brief(kept.text).text
    told = re.sub(r"<(list|lines)-(\w+)>\n.*?\n</\1-\2>", "", text, flags=re.DOTALL)
    assert "Gas boiler" in text and "heating" in text
    assert not [each for each in ("boiler", "heating", "pump") if each in told]


def shown_lines(brief):
    return re.search(r"<lines-\w+>\n(.*?)\n</lines", brief.text, re.DOTALL)[1].split("\n")


def test_a_source_is_shown_from_its_first_line_below_the_front_matter(space, asked):
    head = "---\ntitle: Boats\ntags:\n  - sea\nsecret_name: x\n---\n"
    kept = space.curation.keep(f"{head}\nA boat swims here.\n".encode(), "boats.md")
    brief, _, reply = asked(kept)
    assert shown_lines(brief) == ["1 A boat swims here."]
    view = reply({"lines": [1], "text": "A boat swims here."})
    assert view.operations[0].evidence[0].line == 8


def listed_pages(space, kept):
    text = space.curation.ingest_brief(kept.text).text
    listed = text.partition("Pages that are there:\n")[2].partition("\n</list-")[0]
    return [row.partition(" ")[2].partition(" | ")[0] for row in listed.split("\n")]


TOLD = "A furnace is fed with peat, and a furnace of peat smells. "


def test_the_page_that_a_source_is_about_comes_before_long_ones(space, put):
    words = "made what comes here goes there with people from many old places".split()
    rare = [f"glow{number}" for number in range(30)]
    for number, each in enumerate(rare):
        put(f"wiki/far-{number}.md", f"# Far {number}\n\n{each} {' '.join(words[number % 6 :])}.\n")
    put("wiki/all.md", f"# All\n\n{' '.join(words)} and so on in this long tale.\n")
    put("wiki/peat.md", "# Peat\n\nPeat is dug from bogs.\n")
    source = f"# Fires\n\n{TOLD * 3}{' '.join([*rare, *words] * 2)} tale long.\n"
    kept = space.curation.keep(source.encode(), "fires.md")
    listed = listed_pages(space, kept)
    assert listed[1] == "Peat" and "All" not in listed


def test_the_sections_of_a_page_that_a_source_speaks_of_are_listed_first(space, put):
    sections = "".join(f"## Part {n}\n\nStones of kind {n}.\n\n" for n in range(8))
    put("wiki/earth.md", f"# Earth\n\n{sections}## Peat\n\nPeat for a furnace is dug.\n")
    kept = space.curation.keep(f"# Fires\n\n{TOLD * 3}\n".encode(), "fires.md")
    assert listed_pages(space, kept)[2] == "Earth, section Peat"


def test_nothing_in_a_brief_hides_from_who_reads_it(space):
    source = "# Boats\n\nA boat\x1b[2J swims\U000e0041\u202e here.\n"
    kept = space.curation.keep(source.encode(), "boats.md")
    assert (
        "2 A boat[2J swims\\u{e0041}\\u{202e} here.\n"
        in space.curation.ingest_brief(kept.text).text
    )


def test_in_logseq_a_page_is_linked_by_its_name(opened, put):
    put("memwiki.toml", '[pages]\ndialect = "logseq"\n[layers]\nraw = "raw"\n')
    put("logseq/config.edn", "{}")
    space = opened()
    kept = space.curation.keep(SOURCE.encode(), "hp.md")
    brief = space.curation.ingest_brief(kept.text)
    claims = [MOVES | {"new": "Heat pump"}]
    view = space.curation.reply(brief.id, json.dumps({"claims": claims}))
    space.proposals.decide(view.id, accept="all")
    assert "- [[Heat pump]]\n" in space.pages.get(kept.page).text


# --- another version ---


def test_of_another_version_only_what_changed_is_asked(space, root, kept, asked):
    _, _, reply = asked(kept)
    space.proposals.decide(reply(STUDY).id, accept="all")
    text = SOURCE.replace("40 old houses", "55 old houses")
    again = space.curation.keep(text.encode(), "heat pumps.md", resource="https://example.org/hp")
    assert (again.source, again.page) == ("raw/heat-pumps-2.md", kept.page)
    assert (root / kept.source).read_bytes() == SOURCE.encode()
    about = (root / kept.page).read_text()
    assert '\nsources: ["[[raw/heat-pumps]]", "[[raw/heat-pumps-2]]"]\n' in about
    assert f"\nsha256: {again.sha256}\n" in about
    brief, _, reply = asked(again)
    assert "55 old houses" in brief.text and "4000 euros" not in brief.text
    view = reply({"lines": [2], "text": "A field study of 2024 measured 55 old houses."})
    assert space.proposals.decide(view.id, accept="all").accepted == (1,)
    assert "[^h2]: [[raw/heat-pumps-2]] line 4" in (root / kept.page).read_text()


def test_a_version_of_which_nothing_is_new_is_not_asked_about(space, kept):
    text = f"{SOURCE}\n\n"
    again = space.curation.keep(text.encode(), "heat pumps.md", resource="https://example.org/hp")
    with pytest.raises(NotFoundError, match="all of it was answered"):
        space.curation.ingest_brief(again.text)


# --- nothing changes what is in raw/ ---


@pytest.mark.parametrize(
    "change",
    [
        lambda ws, path: ws.pages.append(path, "More."),
        lambda ws, path: ws.pages.replace(path, "Other."),
        lambda ws, path: ws.pages.set(path, {"title": "Other"}),
        lambda ws, path: ws.pages.tag_add(path, ["tea"]),
        lambda ws, path: ws.pages.link(path, "School"),
        lambda ws, path: ws.entries.add("A fact.", to=path),
        lambda ws, path: ws.pages.unlink(path, "School"),
        lambda ws, path: ws.pages.tag_remove(path, ["tea"]),
        lambda ws, path: ws.pages.edit(path, "40 old", "55 old"),
    ],
)
def test_no_verb_changes_a_source(space, root, kept, change):
    with pytest.raises(NotEditableError):
        change(space, kept.source)
    assert (root / kept.source).read_bytes() == SOURCE.encode()


@pytest.mark.parametrize(
    "operation",
    [
        {"do": "describe_page", "text": STUDY["text"]},
        {"do": "add_claims", "claims": [STUDY]},
        {"do": "note_contradiction", "text": STUDY["text"], "against": "School"},
    ],
)
def test_no_proposal_changes_a_source(space, root, kept, operation):
    asked = {**operation, "page": kept.source, "lines": [3]}
    view = space.proposals.propose([asked], source=kept.source)
    done = space.proposals.decide(view.id, accept=[1])
    assert done.stale and "sources are never changed" in done.stale[0][1]
    assert (root / kept.source).read_bytes() == SOURCE.encode()


def test_neither_fixes_nor_moves_change_a_source(space, root, put):
    text = b"---\ntags: [Heat, heat]\n---\n# Pump  \n\nSee [[wiki/Boiler]] and [[wiki/school]].\n"
    kept = space.curation.keep(text, "pump.md")
    space.check.fix(space.check.run())
    space.pages.move("wiki/school.md", "wiki/old-school.md")
    space.pages.tag_rename("heating", "warmth")
    assert (root / kept.source).read_bytes() == text


# --- what becomes of a claim when its source is another one ---


def found(space, *codes):
    report = space.check.run(only=codes)
    return [(each.path, each.line, each.code) for each in report.problems]


def test_a_claim_is_found_whose_lines_somebody_changed(space, root, kept, asked):
    _, _, reply = asked(kept)
    space.proposals.decide(reply(STUDY, MOVES).id, accept="all")
    assert found(space, "claim-unsupported", "raw-modified") == []
    (root / kept.source).write_text(SOURCE.replace("40 old houses", "12 new barns"))
    line = space.pages.get(kept.page).text.split("\n").index(f"{STUDY['text']} [^h1]") + 1
    assert (kept.page, line, "claim-unsupported") in found(space, "claim-unsupported")
    (root / kept.source).write_text("# Heat pumps in old houses\n")
    assert len(found(space, "claim-unsupported")) == 2
    (root / kept.source).write_bytes(SOURCE.encode())
    assert found(space, "claim-unsupported", "raw-modified") == []


def test_a_claim_is_found_that_a_later_version_says_otherwise(space, kept, asked):
    _, _, reply = asked(kept)
    space.proposals.decide(reply(STUDY, MOVES).id, accept="all")
    text = SOURCE.replace("40 old houses", "55 old houses").encode()
    space.curation.keep(text, "heat pumps.md", resource="https://example.org/hp")
    (one,) = found(space, "claim-outdated", "claim-unsupported")
    assert one[0] == kept.page and one[2] == "claim-outdated"


def test_a_brief_on_a_source_that_is_gone_waits_for_nobody(space, kept):
    brief = space.curation.ingest_brief(kept.text)
    (row,) = space.proposals.list()
    assert (row.id, state_text(row)) == (brief.id, "waits for a reply")
    space.undo()
    assert list(space.proposals.list()) == []
    (row,) = space.proposals.list(all=True)
    assert (row.id, state_text(row)) == (brief.id, "dropped: its source is gone")
