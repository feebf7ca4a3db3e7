"""Documents that are no text: what they say, and one clear error for each odd one."""

from __future__ import annotations

import re
import sys
import zipfile
from html import unescape
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.errors import (
    MissingExtraError,
    NotEditableError,
    TooLargeError,
    UnreadableError,
    UsageError,
)
from memwiki.ingest import apart
from memwiki.ingest import incoming as module
from memwiki.ingest.converters import html_text
from memwiki.ingest.incoming import incoming
from memwiki.markdown.outline import outline_of
from memwiki.markdown.units import entries_of
from memwiki.nouns import Layers
from tests.effort import for_each

CATALOG = "# Index\n\n<!-- memwiki:catalog:begin -->\n- [[a]]\n<!-- memwiki:catalog:end -->\n"
HTML = """<!DOCTYPE html><html><head><title>Heat pumps</title><style>p {}</style></head><body>
<nav>Home</nav><main><h1>Heat pumps</h1><p>A pump moves <b>heat</b>.</p>
<table><tr><th>House</th></tr><tr><td>Old</td></tr></table></main><script>x()</script></body></html>"""


def pdf(text="A pump moves heat.", trailer=""):
    """A PDF of one page."""
    stream = f"BT /F1 12 Tf 72 700 Td ({text}) Tj ET" if text else ""
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
        " /Resources << /Font << /F1 5 0 R >> >> >>",
        f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        "<< /Filter /Standard /V 1 /R 2 /P -4 /O <" + "41" * 32 + "> /U <" + "42" * 32 + "> >>",
        "<< /Title (untitled) >>",
    ]
    out, starts = "%PDF-1.4\n", []
    for number, each in enumerate(objects, 1):
        starts.append(len(out))
        out += f"{number} 0 obj\n{each}\nendobj\n"
    table = "".join(f"{start:010} 00000 n \n" for start in starts)
    xref = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
    out += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R {trailer} >>\n"
    return f"{out}startxref\n{xref}\n%%EOF\n".encode()


def packed(**files):
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name.replace("__", "/").replace("_dot_", "."), text)
    return out.getvalue()


W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
DOCX = packed(
    word__document_dot_xml=f"<w:document {W}><w:body><w:p><w:r><w:t>A pump moves heat.</w:t></w:r>"
    "</w:p></w:body></w:document>",
    _rels___dot_rels='<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/'
    'relationships"><Relationship Id="r" Target="word/document.xml" Type="http://schemas.'
    'openxmlformats.org/officeDocument/2006/relationships/officeDocument"/></Relationships>',
)
EPUB = packed(
    **{
        "META-INF__container_dot_xml": '<container><rootfiles><rootfile full-path="O/b.opf"/>'
        "</rootfiles></container>",
        "O__b_dot_opf": "<package><metadata><dc:title>Pumps</dc:title></metadata><manifest>"
        '<item id="two" href="2.xhtml"/><item id="one" href="1.xhtml"/></manifest>'
        '<spine><itemref idref="one"/><itemref idref="two"/></spine></package>',
        "O__1_dot_xhtml": "<?xml version='1.0'?><html><body><p>First it moves.</p></body></html>",
        "O__2_dot_xhtml": "<html><body><p>Then it heats.</p></body></html>",
    }
)


RUSSIAN = "Тепловой насос переносит тепло в дом. Он даёт втрое больше."


def locked(archive):
    """The same archive as one that asks for a password."""
    flagged = bytearray(archive)
    for mark, place in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        flagged[flagged.index(mark) + place] |= 1
    return bytes(flagged)


def taken(data, name, title=""):
    return incoming(
        data, name, title, max_bytes=10_000_000, max_page_bytes=1_000_000, layers=Layers()
    )


@for_each(
    "name, code, text",
    [
        ("a.txt", "utf-8", "Die Wärmepumpe für Häuser."),
        ("a.txt", "utf-8", "热泵把外面的热送进屋里。"),
        ("a.txt", "utf-16", "热泵把外面的热送进屋里。"),
        ("a.txt", "gb18030", "热泵把外面的热送进屋里，三倍于电。"),
        ("a.txt", "big5", "熱泵把外面的熱送進屋裡，三倍於電。"),
        ("a.txt", "cp1252", "Die Wärmepumpe ist schön für Häuser – sehr."),
        ("a.txt", "cp1252", "The prize was créée in 1901."),
        ("a.txt", "cp1252", "The water is 20 °C warm."),
        ("a.txt", "cp1252", "Ärzte und Ämter."),
        ("a.txt", "cp1252", "Über den Wolken."),
        ("a.txt", "cp1252", "«Une phrase."),
        ("a.txt", "cp1252", "CRÉÉE en 1901, à Paris."),
        ("a.txt", "gb2312", "The word 茶 is tea, and API接口 an interface."),
        ("a.txt", "gb18030", "糖醋排骨：排骨五百克，白糖、陈醋、生抽、料酒适量，焯水后煸炒。"),
        ("a.txt", "big5", "糖醋排骨：排骨五百克，白糖、陳醋、醬油、料酒適量。"),
        (
            "a.txt",
            "cp1252",
            "En hiver, les maisons âgées ont été mesurées, déjà près de l’île.",
        ),
        ("a.txt", "cp1252", "No inverno não foram medidas quarenta habitações, porém então."),
        ("a.txt", "cp1252", "¿Qué pasó mañana? «Nada», dijo el señor n.º 3."),
        ("a.txt", "cp1252", "Um veturinn voru fjörutíu gömul hús mæld, það þótti gott."),
        ("a.txt", "cp1252", "Talvel mõõdeti nelikümmend vana maja, väga hästi."),
        ("a.txt", "cp1252", "Varmepumper blev målt i gamle huse om vinteren, også på øen."),
        (
            "a.txt",
            "cp1252",
            "Škoda is a name in an English text of many more words, as is this.",
        ),
    ],
)
def test_text_is_read_in_the_code_that_it_is_in(name, code, text):
    found = taken(text.encode(code), name)
    assert found.text.decode() == text
    assert found.is_text is (code == "utf-8")
    assert found.suffix == (".md" if found.is_text else ".txt")


@for_each(
    "data, name, why",
    [
        (b"", "a.md", "a.md: is empty"),
        (b" \n\n", "-", "standard input: is empty"),
        ("\u200b \u00a0\n---\n".encode(), "a.md", "is empty"),
        (b"x" * 10_000_001, "a.txt", "longer than 10000000 bytes"),
        (b"word " * 300_000, "a.txt", "bytes of text, over 1000000"),
        (pdf(), "a.docx", "is a PDF by its content, and called .docx"),
        (pdf(), "a.md", "is a PDF by its content, and called .md"),
        (DOCX, "a.pdf", "is a Word document by its content, and called .pdf"),
        (b"Only words.", "a.epub", "is text by its content, and called .epub"),
        (HTML.encode(), "a.txt", "is HTML by its content, and called .txt"),
        (b"\x89PNG\r\n\0\0", "a.png", "is neither text nor HTML, PDF, docx or epub"),
        (packed(a="b"), "a.docx", "is neither text"),
        (rb"{\rtf1\ansi A pump moves heat.\par}", "a.rtf", "is neither text"),
        ("A pump moves heat.".encode("utf-32"), "a.txt", "is neither text"),
        (RUSSIAN.encode("koi8-r"), "a.txt", "a.txt: is text in a code that is not known"),
        (RUSSIAN.encode("cp1251"), "a.txt", "is text in a code that is not known"),
        *(
            (text.encode(code), "a.txt", "code that is not known")
            for code, text in (
                ("shift_jis", "ヒートポンプは外の熱を家に運ぶ。"),
                ("euc_jp", "熱ポンプの研究。冬に四十軒の古い家を測定した。"),
                ("iso2022_jp", "熱ポンプの研究。冬に四十軒の古い家を測定した。"),
                ("euc_kr", "열펌프 연구. 겨울에 마흔 채의 오래된 집을 측정했다."),
                ("cp949", "열펌프 연구. 겨울에 마흔 채의 오래된 집을 측정했다."),
                ("tis_620", "การศึกษาเรื่องปั๊มความร้อนในบ้านเก่าสี่สิบหลังในฤดูหนาว"),
                ("cp1250", "Badanie pomp ciepła. Zimą zmierzono czterdzieści starych domów."),
                ("iso8859_2", "Badanie pomp ciepła. Zimą zmierzono czterdzieści domów."),
                ("cp1250", "Tepelná čerpadla byla měřena v zimě ve čtyřiceti starých domech."),
                ("cp1250", "A hőszivattyúk vizsgálata télen jó volt, bővült a műszerek köre."),
                ("cp1254", "Isı pompası araştırması. Kışın kırk eski ev ölçüldü."),
                ("cp850", "Wärmepumpen im Altbau. Im Winter wurden vierzig Häuser gemessen."),
                ("cp850", "Värmepumpar i gamla hus mättes på vintern, åtta åt gången."),
                ("cp850", "En invierno: ¿qué pasó mañana?"),
            )
        ),
        (locked(DOCX), "a.docx", "is encrypted"),
        (b"PK\x03\x04 no archive", "a.docx", "is damaged"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 old", "a.docx", "encrypted or old Office document"),
    ],
)
def test_what_is_odd_is_one_error(data, name, why):
    with pytest.raises((UsageError, UnreadableError), match=why):
        taken(data, name)


def test_a_text_may_speak_of_a_format():
    text = b"# PDF\n\nSuch a file begins with\n\n%PDF-1.7\n\nand ends with an address.\n"
    assert taken(text, "a.md").text == text


@pytest.mark.parametrize("text", ["---\ngenerated: {by: qwen}\n---\n# A\n\nWords.\n", CATALOG])
def test_nothing_rests_on_what_a_model_or_memwiki_made(text):
    with pytest.raises(NotEditableError, match=r"\Aa\.md: was generated"):
        taken(text.encode(), "a.md")


def test_what_unpacks_to_very_much_is_not_unpacked(monkeypatch):
    monkeypatch.setattr(module, "_MAX_UNPACKED", 100)
    with pytest.raises(UsageError, match="unpacks to"):
        taken(EPUB, "a.epub")


def test_without_the_converters_the_extra_is_named(monkeypatch):
    monkeypatch.setattr(module, "find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match="markdownify"):
        taken(HTML.encode(), "a.html")


# --- with the extra ---


@pytest.fixture
def converters():
    for library in ("markdownify", "mammoth", "pypdfium2"):
        pytest.importorskip(library)


@pytest.mark.parametrize(
    "data, name, title, text",
    [
        (
            HTML.encode(),
            "a.html",
            "Heat pumps",
            "# Heat pumps\n\nA pump moves **heat**.\n\n| House |\n| --- |\n| Old |\n",
        ),
        (b"<p>A <i>pump</i>.</p>", "part.html", "part", "A *pump*.\n"),
        (
            b"<main><header><h1>Pumps</h1></header><header>Menu</header><p>Heat.</p></main>",
            "heads.html",
            "Pumps",
            "# Pumps\n\nHeat.\n",
        ),
        (pdf(), "paper.pdf", "paper", "## Page 1\n\nA pump moves heat.\n"),
        (pdf(trailer="/Info 7 0 R"), "own.pdf", "own", "## Page 1\n\nA pump moves heat.\n"),
        (DOCX, "talk.docx", "talk", "A pump moves heat.\n"),
        (EPUB, "book.epub", "Pumps", "# Pumps\n\nFirst it moves.\n\nThen it heats.\n"),
        ("<html><title>热泵</title><p>送热。</p>".encode(), "a.html", "热泵", "# 热泵\n\n送热。\n"),
    ],
)
def test_a_document_is_its_text(converters, data, name, title, text):
    found = taken(data, name)
    assert (found.text.decode(), found.title.lower()) == (text, title.lower())
    assert found.data == data and not found.is_text


@pytest.mark.parametrize(
    "data, name, why",
    [
        (pdf(""), "scan.pdf", "has no text in it"),
        (pdf(trailer="/Encrypt 6 0 R /ID [<41> <41>]"), "locked.pdf", "is encrypted"),
        (b"%PDF-1.4 nothing more", "broken.pdf", "is damaged"),
        (packed(word__document_dot_xml="<no"), "broken.docx", "is damaged"),
        (packed(**{"META-INF__container_dot_xml": "<a/>"}), "broken.epub", "names no content"),
        (b"<html>" + b"<div>" * 100_000 + b"deep", "deep.html", "nested too deeply"),
        (b"<html><script>x()</script></html>", "empty.html", "has no text in it"),
    ],
)
def test_an_odd_document_is_one_error(converters, data, name, why):
    with pytest.raises(UnreadableError, match=why):
        taken(data, name)


def test_a_document_without_another_python_is_read_all_the_same(converters, monkeypatch):
    monkeypatch.setattr(module, "python_command", tuple)
    assert taken(DOCX, "talk.docx").text == b"A pump moves heat.\n"
    with pytest.raises(UnreadableError, match="is damaged"):
        taken(b"%PDF-1.4 nothing more", "broken.pdf")


def test_a_document_that_never_ends_is_one_error(converters, monkeypatch):
    monkeypatch.setattr(apart, "MAX_SECONDS", 1)
    with pytest.raises(UnreadableError, match=r"long\.html: takes over 1 s to read"):
        taken(b"<html><body>" + b"<!--" * 300_000 + b" words", "long.html")


@pytest.mark.skipif(sys.platform != "linux", reason="memory is bounded on Linux")
def test_a_document_that_fills_the_memory_is_one_error(converters, monkeypatch):
    monkeypatch.setattr(apart, "MAX_MEMORY", 200_000_000)
    monkeypatch.setattr(apart, "MAX_SECONDS", 600)  # whatever else the machine does
    # Where nothing is left even for the error, the process that reads is gone.
    told = r"wide\.html: (takes over .* of memory to read|is damaged, or too large)"
    with pytest.raises(UnreadableError, match=told):
        taken(b"<html><body>" + b"<p>A word.</p>" * 500_000, "wide.html")


def test_a_document_that_brings_its_reader_down_is_one_error(converters, monkeypatch):
    monkeypatch.setattr(apart, "_CHILD", "import os; os.abort()")
    with pytest.raises(UnreadableError, match=r"paper\.pdf: is damaged, or too large"):
        taken(pdf(), "paper.pdf")


def test_a_document_with_more_text_than_a_page_has_is_one_error(converters):
    with pytest.raises(TooLargeError, match=r"long\.html: has \d+ bytes of text, over 1000000"):
        taken(b"<html><body>" + b"<p>%s</p>" % (b"A pump moves heat. " * 60) * 1_000, "long.html")


def test_a_document_is_kept_with_its_text_beside_it(converters, space, root):
    kept = space.curation.keep(pdf(), "Paper.pdf")
    assert (kept.source, kept.text) == ("raw/paper.pdf", "raw/paper.md")
    assert (root / kept.source).read_bytes() == pdf()
    assert "A pump moves heat." in space.curation.ingest_brief(kept.text).text
    assert "Source: [[raw/paper.pdf]]" in (root / kept.page).read_text()
    claim = {"text": "A pump moves heat.", "lines": [2]}
    asked = {"do": "add_claims", "page": kept.page, "claims": [claim]}
    view = space.proposals.propose([asked], source=kept.text)
    assert space.proposals.decide(view.id, accept="all").accepted == (1,)
    assert [e for e in space.check.run().problems if e.severity != "info"] == []
    space.undo()
    again = space.curation.keep(pdf(), "Paper.pdf")
    assert again.edited.paths == () and again.source == "raw/paper.pdf"
    space.undo()
    assert not (root / "raw/paper.pdf").exists() and not (root / "raw/paper.md").exists()


LIVE = ("a[[0]]", "[[Anna]]", "![[x.png]]", "#tea", "see #a/b-c", "x ^m-inj001", "[k:: v]", "k:: v")


@given(
    st.lists(
        st.sampled_from(
            [*LIVE, "---", "C#", "std::x", "a|b", "*", "&lt;a href=x.md&gt;", "&lt;!-- y", "word"]
        ),
        min_size=1,
    )
)
def test_words_of_html_stay_words(words):
    text = " ".join(words)
    items, cells = f"<ul><li>{text}</li></ul>", f"<td>{text}</td><td>x</td>"
    table = f"<table><tr><th>{text}</th><th>y</th></tr><tr>{cells}</tr></table>"
    html = f"<body><p>{text}</p><hr><h1>{text}</h1><p>private: true</p>{items}{table}</body>"
    page = outline_of("raw/x.md", html_text("x.html", html).text.encode(), Layers())
    assert (page.links, page.tags, page.front.fields) == ((), [], {})
    entries = entries_of(page).entries
    assert [(each.id, each.fields, each.tags) for each in entries] == [("", {}, ())] * len(entries)
    rows = [line for line in page.text.split("\n") if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {3}
    said = html_text("x.html", f"<p>{text}</p>").text.replace("\\", "")
    assert normal(unescape(text)) in normal(said)


def normal(text):
    return " ".join(text.split())


def test_a_rule_at_the_beginning_opens_no_front_matter():
    page = html_text("x.html", "<body><hr><p>private: true</p><hr><h1>Ships</h1></body>").text
    assert outline_of("raw/x.md", page.strip().encode(), Layers()).front.fields == {}
