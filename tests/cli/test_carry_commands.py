"""`memwiki export` and `memwiki import` at the command line."""

import json

import pytest

from memwiki.cli.main import main


@pytest.fixture
def shell(root, capsys, monkeypatch):
    monkeypatch.chdir(root)

    def run(*arguments):
        code = main(list(arguments))
        return code, *capsys.readouterr()

    return run


def test_lines_go_to_standard_output_and_talk_to_the_other(put, shell):
    put("a.md", "# A\n")
    put("b.md", "---\nprivate: true\n---\n")
    code, out, err = shell("export", "--format", "jsonl")
    assert code == 0
    assert [json.loads(line).get("path") for line in out.splitlines()] == [None, "a.md", None]
    assert err == "1 private page left out\n"


def test_a_zip_stays_out_of_the_workspace(put, root, shell, tmp_path):
    put("a.md", "# A\n")
    code, _, err = shell("export")
    assert code == 2
    assert "--output ../ws-" in err
    (tmp_path / "out").mkdir()
    code, out, _ = shell(
        "-C", str(root), "export", "--output", str(tmp_path / "out/x.zip"), "--json"
    )
    assert (code, json.loads(out)["files"]) == (0, 1)


def test_files_in_the_way_are_named_with_the_option_that_replaces_them(put, shell, tmp_path):
    put("a.md", "# Ours\n")
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault/a.md").write_text("# Theirs\n")
    code, out, err = shell("import", "../vault", "--json")
    error = json.loads(out or err)["error"]
    assert (code, error["code"], error["candidates"]) == (1, "already_exists", ["a.md"])
    assert "--replace" in error["hint"]
    code, out, _ = shell("import", "../vault", "--replace", "--dry-run")
    assert (code, "+# Theirs" in out) == (0, True)
    code, out, _ = shell("import", "../vault", "--replace")
    assert out == "imported vault (markdown)\n  ~ a.md\n  1 file written, 1 of them replaced\n"


def test_an_unknown_kind_names_those_there_are(put, shell, tmp_path):
    put("a.md", "# A\n")
    (tmp_path / "x.jsonl").write_text("{}\n")
    code, _, err = shell("import", "../x.jsonl", "--kind", "papyrus")
    assert (code, "markdown" in err) == (2, True)


def test_escapes_in_names_do_not_reach_the_terminal(put, shell, tmp_path):
    put("a.md", "# A\n")
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault/\x1b[2J.md").write_text("# A\n")
    code, out, err = shell("import", "../vault")
    assert code == 1
    assert "\x1b" not in out + err


def test_a_reader_that_has_seen_enough_of_an_export_is_no_broken_index(put, opened):
    put("a.md", "# A\n")
    calls: list[bytes] = []

    def gone(data: bytes) -> None:
        calls.append(data)
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        opened().carry.export(gone, format="jsonl")
    assert len(calls) == 1


def test_a_graph_comes_back_as_the_lines_that_were_imported(put, root, shell, tmp_path):
    records = [
        {"type": "entity", "name": "Ann\ud83d", "entityType": "", "observations": ["a\nb", "a\nb"]},
        {"type": "entity", "name": "[[x]]", "entityType": "log", "observations": []},
        {"type": "relation", "from": "[[x]]", "to": "Nobody", "relationType": "knows of"},
        {"type": "relation", "from": "Nobody", "to": "[[x]]", "relationType": "knows"},
    ]
    file = tmp_path / "memory.jsonl"
    file.write_text("\n".join(map(json.dumps, records)), "utf-8")
    assert shell("import", str(file))[0] == 0
    put("entities/bob.md", "---\ntitle: Bob\nprivate: true\n---\n# Bob\n")
    code, out, _ = shell("export", "--format", "memory-server")
    assert (code, [*map(json.loads, out.splitlines())]) == (0, records)
    _, out, _ = shell("export", "--format", "memory-server", "--private")
    assert len(out.splitlines()) == 5
    code, out, _ = shell(
        "export", "--format", "memory-server", "--output", str(tmp_path / "b.jsonl")
    )
    assert code == 0
    assert len((tmp_path / "b.jsonl").read_text("utf-8").splitlines()) == 4
    assert shell("export", "--format", "memory-server", "--tag", "x")[0] == 2
