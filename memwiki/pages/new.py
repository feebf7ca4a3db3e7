"""A new page: where it goes, what it is called, what it begins with, and who answers to its name
already; and today's page, made when it is missing, and one item added to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date

from memwiki.change.plan import Edit, Plan, edit_of
from memwiki.dates import ISO
from memwiki.digest import digest_of
from memwiki.entry_fields import canonical
from memwiki.errors import (
    CatalogTextError,
    ConfigError,
    NotFoundError,
    PageTooLongError,
    UnsafePathError,
    UsageError,
)
from memwiki.files.ignore import why_not_name
from memwiki.index.cards.filters import Filters
from memwiki.index.names import NameKind
from memwiki.index.resolve import Names
from memwiki.markdown import describe
from memwiki.markdown.describe import default_type, inner_path, is_subject
from memwiki.markdown.dialects import file_stem, page_names
from memwiki.markdown.edit.fields import Wanted, WantedFields, set_field
from memwiki.markdown.outline import Outline, outline_of
from memwiki.markdown.source import Patch
from memwiki.markdown.titles import title_of
from memwiki.names import (
    fold,
    is_page_name,
    normalised,
    require_str,
    slug,
    stem_of,
    unlinkable,
    without_brackets,
)
from memwiki.nouns import DENDRON, LOGSEQ, Layers, Page
from memwiki.pages.edit import as_blocks, as_items, clean_text, require_text, with_text
from memwiki.pages.page import (
    checked_line,
    file_name,
    is_file_name,
    page_now,
    page_plan,
    titled_file_name,
    why_no_name,
)
from memwiki.records import NamedTuple
from memwiki.scope import Scope, layers_at
from memwiki.sync.reading import Reading
from memwiki.text import has_chinese, pattern
from memwiki.times.day_names import written_day

_LATEST, _LOOKED_AT = 16, 64
_OTHERS = ("memory", "learning", "session")  # hold entries and messages, and are no notes
_FORBIDDEN = pattern(r'[<>:"|?*]')
_SHOWN_TWINS = 3
_ALPHABET, _ID_LENGTH = "0123456789abcdefghijklmnopqrstuvwxyz", 23  # of Dendron's ids
_RESERVED = ("index.md", "log.md")
_DOTTED = pattern(r"[\w-]+(?:\.[\w-]+)+")
# What would be read as a link, a tag, emphasis or HTML in a heading.
_MARKED = pattern(r"[\[\]<>*`$^|\\]|~~|==|::|(?<!\w)_|_(?!\w)|(?:^|\s)#|&#?\w+;|://")


class Template(NamedTuple):
    """The folder below the wiki's that pages of a type go to, and their sections."""

    folder: str = ""
    sections: tuple[str, ...] = ()
    chinese: tuple[str, ...] = ()


PLAIN = Template()
TEMPLATES: Mapping[str, Template] = {
    "concept": Template(
        "concepts", ("What it is", "Why it matters", "See also"), ("是什么", "为什么重要", "另见")
    ),
    "entity": Template("entities", ("What it is", "Facts", "See also"), ("是什么", "事实", "另见")),
    "person": Template("people", ("Who it is", "Works on", "Facts"), ("是谁", "在做什么", "事实")),
    "project": Template(
        "projects", ("Goal", "State", "Next steps", "Decisions"), ("目标", "现状", "下一步", "决定")
    ),
    "source": Template("sources", ("Summary", "Key points", "Quotes"), ("摘要", "要点", "引文")),
    "question": Template(
        "questions", ("Answer", "Reasons", "Still open"), ("回答", "理由", "未解决")
    ),
    "comparison": Template(
        "comparisons", ("Options", "Differences", "Conclusion"), ("选项", "区别", "结论")
    ),
    "synthesis": Template("syntheses", ("Claim", "Evidence", "Doubts"), ("主张", "证据", "疑问")),
    "decision": Template(
        "decisions", ("Context", "Decision", "Consequences"), ("背景", "决定", "后果")
    ),
    "memory": Template("memories", ("Facts",), ("事实",)),
    "learning": Template("learnings", ("Lessons",), ("经验",)),
}


class NoteForm(NamedTuple):
    """What at least half of some notes have: fields of their front matter, and a heading of level 1
    that they begin with."""

    fields: frozenset[str]
    has_heading: bool


def form_of(pages: Sequence[Page]) -> NoteForm | None:
    """The form of these notes, None where there are none."""
    if not pages:
        return None
    own = [{canonical(name) for name in page.fields} for page in pages]
    names = frozenset[str]().union(*own)
    headings = [bool(page.sections) and page.sections[0].level == 1 for page in pages]
    return NoteForm(
        frozenset(
            name for name in names if 2 * sum(name in fields for fields in own) >= len(pages)
        ),
        2 * sum(headings) >= len(pages),
    )


def form_near(view: Reading, folder: str) -> NoteForm | None:
    """What the latest notes of a folder have; where it has none, those of the vault. None where
    there are none, and in a workspace that is laid out as the template, whose types say it."""
    vault = layers_at(folder, view.context.layers).dialect.folder
    if view.context.layers.wiki and not vault:
        return None
    return form_of(list(_latest(view, folder))) or form_of(list(_latest(view, vault)))


def _latest(view: Reading, folder: str) -> Iterator[Page]:
    paths = Filters(view.stores.cards.db).latest(folder, _LOOKED_AT)
    notes = [path for path in paths if view.scope.sees(path) and _is_note(path, view)]
    for path in notes[:_LATEST]:
        with suppress(NotFoundError):
            yield page_now(view.context, path)


def _is_note(path: str, view: Reading) -> bool:
    layers: Layers = view.context.layers
    is_other = default_type(inner_path(path, layers), layers) in _OTHERS
    return not is_other and is_subject(path, "", layers, has_entries=False)


class PageRequest(NamedTuple):
    """What a person asks for in a new page."""

    name: str  # a path or a title
    type: str = ""
    tags: Sequence[str] = ()
    description: str = ""
    content: str | None = None  # a body, or a whole page with front matter of its own
    is_own: bool = False  # the content is a template of one's own, to which nothing is added
    is_titled: bool = False  # the file is called as the title, not by a slug of it
    form: NoteForm | None = None  # what the notes beside it have, where it is to have no more


class NewPage(NamedTuple):
    """Where a page goes and what it is; the title is "" when none was asked for."""

    path: str
    title: str
    type: str


def aim(
    asked: PageRequest, layers: Layers, folder: str, folders: Callable[[str], Iterable[str]]
) -> NewPage:
    """Where a page goes: to its path, else by its type, else to `folder`.

    `folders` names the folders inside one of the workspace, "" for its root.
    """
    require_str("new", asked.name)
    asked = asked._replace(name=without_brackets(asked.name))
    type_ = checked_line("type", asked.type)
    if _is_path(asked.name, [*folders(""), layers.wiki.partition("/")[0]]):
        path = normalised("NFC", asked.name.strip())
        path = path if is_page_name(path) else f"{path}.md"
        _require_page(path)
        own = layers_at(path, layers)
        return NewPage(
            path, "", type_ or describe.default_type(describe.inner_path(path, own), own)
        )
    title = checked_line("title", asked.name)
    if not title:
        raise UsageError("new: the title is empty", "memwiki new 'Green tea'")
    type_ = type_ or ("concept" if layers.wiki else "")
    location = _location(type_, layers, folders) if layers.wiki else _layer(type_, layers) or folder
    own = layers_at(location, layers)
    path = f"{location}/{_stem(title, own, is_titled=asked.is_titled)}.md".lstrip("/")
    return NewPage(path, title, type_ or describe.default_type(path, own))


def _stem(title: str, layers: Layers, *, is_titled: bool) -> str:
    """The name of the file of a title; where another program keeps the pages too, as it would call
    it, if every system can hold that."""
    usual = file_name(title)
    if layers.dialect.name == LOGSEQ:
        own = file_stem(title, layers.dialect.slash)
        is_same = next(page_names(own, layers.dialect.slash)) == title
        return own if is_same and is_file_name(own) and not unlinkable(own) else usual
    if layers.dialect.name == DENDRON and _DOTTED.fullmatch(title) and is_file_name(title):
        return title
    return titled_file_name(title) if is_titled else usual


def _is_path(name: str, folders: Iterable[str]) -> bool:
    """Whether a name is a path: it ends as a page's, or begins with one of these folders."""
    first, slash, _ = name.partition("/")
    if is_page_name(name.strip()):
        return True
    return bool(slash) and (first in ("", ".", "..") or fold(first) in map(fold, folders))


def _require_page(path: str) -> None:
    """Refuse a name that no page has, or none that every system can hold."""
    name = path.rpartition("/")[2]
    reason = why_no_name(name) or why_not_name(name)
    if _FORBIDDEN.search(path):
        reason = 'Windows allows none of < > : " | ? * in a name'
    elif fold(name) in _RESERVED:
        reason = "index.md and log.md are reserved for catalogs and the journal"
    if reason:
        raise UnsafePathError.at(path, reason, "choose another name")


def _location(type_: str, layers: Layers, folders: Callable[[str], Iterable[str]]) -> str:
    """The folder of a type: the one that is there under some spelling, else the usual one."""
    usual = TEMPLATES.get(fold(type_), PLAIN).folder
    if layer := _layer(type_, layers):
        return layer
    if not usual:
        return layers.wiki
    found = (
        each for each in sorted(folders(layers.wiki)) if describe.folder_type(each) == fold(type_)
    )
    return f"{layers.wiki}/{next(found, usual)}"


def _layer(type_: str, layers: Layers) -> str:
    return {"session": layers.sessions, "daily": layers.daily}.get(fold(type_), "")


# --- what stands in it ---


def new_page(target: NewPage, asked: PageRequest, day: str, layers: Layers, max_bytes: int) -> Plan:
    """A plan that creates a page from a template, or from the text that was handed over."""
    data = page_bytes(target, asked, day, layers, max_bytes)
    return Plan((Edit(target.path, "", data, "new page"),), f"created {target.path}", "create")


def page_bytes(
    target: NewPage, asked: PageRequest, day: str, layers: Layers, max_bytes: int
) -> bytes:
    """What stands in a new page."""
    layers = layers_at(target.path, layers)
    page = outline_of(target.path, _text(target, asked, layers).encode(), layers)
    for name, value in _fields(target, asked, page, day, layers).items():
        page = set_field(page, name, value)
    data = page.data
    if len(data) > max_bytes:
        raise PageTooLongError(
            target.path, len(data), max_bytes, "split it into pages, or raise files.max_bytes"
        )
    if page.is_catalog:
        raise CatalogTextError(target.path)
    return data


def _text(target: NewPage, asked: PageRequest, layers: Layers) -> str:
    """The page before fields are added."""
    if asked.content is None:
        is_untitled = layers.dialect.name in (LOGSEQ, DENDRON)  # which show the name, or a field
        is_untitled = is_untitled or (asked.form is not None and not asked.form.has_heading)
        return _shaped(skeleton(target, is_untitled=is_untitled), target, layers)
    require_text(asked.content)
    if not asked.content.removeprefix("\ufeff").strip():
        raise UsageError(
            "text: is empty",
            "nothing was created; leave {content} out for a template",
            arguments={"content": None},
        )
    return _shaped(asked.content, target, layers)


def _shaped(text: str, target: NewPage, layers: Layers) -> str:
    """The text as a page of the workspace holds it: in Logseq every block is an item, and only on
    pages of entries each item an entry."""
    path = describe.inner_path(target.path, layers)
    is_own = describe.is_collecting(path, target.type, layers)
    if layers.dialect.name != LOGSEQ or is_own or describe.is_session(path, target.type, layers):
        return text
    page = Outline(layers, target.path, text.removeprefix("\ufeff"))
    at = page.starts[page.text_start] if page.text_start < len(page.lines) else len(page.text)
    head, body = page.text[:at], page.text[at:]
    return head + as_blocks(body) if body.strip() else head


def skeleton(target: NewPage, *, is_untitled: bool = False) -> str:
    """The headings of a page's type, below its title unless the name of the file is one."""
    title = target.title or title_of(stem_of(target.path))
    heading = [] if is_untitled or _MARKED.search(title) else [f"# {title}"]
    template = TEMPLATES.get(fold(target.type), PLAIN)
    sections = template.chinese if has_chinese(title) else template.sections
    return "\n\n".join([*heading, *(f"## {each}" for each in sections), ""]).removesuffix("\n")


def _fields(
    target: NewPage, asked: PageRequest, page: Outline, day: str, layers: Layers
) -> WantedFields:
    """The fields to add: of a whole page only those that were asked for and that it lacks."""
    is_whole = bool(page.start) or asked.is_own
    called = page.called if layers.dialect.name == LOGSEQ else None
    is_called_so = called is not None and (called.day or called.title == target.title)
    is_file = asked.is_own and target.title in (stem_of(target.path), page.title)
    wanted: WantedFields = {"title": "" if is_called_so or is_file else target.title}
    is_special = target.type not in ("page", describe.default_type(target.path, layers))
    wanted |= {
        "type": target.type if asked.type or (is_special and called) else "",
        "description": checked_line("description", asked.description),
    }
    wanted["tags"] = list(asked.tags)
    if not is_whole and layers.dialect.name != LOGSEQ:  # which writes no more than was asked
        wanted |= {"title": target.title or _title(page), "type": target.type}
        wanted["started" if fold(target.type) == "session" else "created"] = day
        if asked.form and layers.dialect.name != DENDRON:  # which needs what it writes
            wanted = _as_beside(wanted, target, page, asked.form, has_type=bool(asked.type))
    if layers.dialect.name == DENDRON:
        wanted["desc"] = wanted.pop("description")
        wanted = wanted if is_whole else _of_dendron(target, day, wanted)
    existing = page.fields.values
    return {name: value for name, value in wanted.items() if value and name not in existing}


def _as_beside(
    wanted: Mapping[str, Wanted], target: NewPage, page: Outline, form: NoteForm, *, has_type: bool
) -> WantedFields:
    """What was asked for, and of the rest what the notes beside it have; the title also where
    nothing else says it."""
    names = (stem_of(target.path), title_of(stem_of(target.path)), _title(page))
    is_needed = {
        "title": target.title not in ("", *names),
        "type": has_type,
        "created": False,
        "started": False,
    }
    return {n: v for n, v in wanted.items() if n in form.fields or is_needed.get(n, True)}


def _of_dendron(target: NewPage, day: str, wanted: Mapping[str, Wanted]) -> WantedFields:
    """The fields as Dendron writes them, which takes no note without an id and times in
    milliseconds, and calls a note by the last part of its name."""
    number = int(digest_of(f"{day} {target.path}".encode()), 16)
    id_ = "".join(_ALPHABET[number // 36**place % 36] for place in range(_ID_LENGTH))
    at = str((date.fromisoformat(day) - date(1970, 1, 1)).days * 86_400_000)
    is_name = wanted["title"] == stem_of(target.path)
    title = title_of(stem_of(target.path).rpartition(".")[2]) if is_name else wanted["title"]
    own: WantedFields = {"id": id_, "title": title, "desc": wanted["desc"]}
    type_ = "" if wanted["type"] == "page" else wanted["type"]
    own |= {"updated": at, "created": at, "type": type_}
    return own | {name: value for name, value in wanted.items() if name not in own}


def _title(page: Outline) -> str:
    """The title of a page that was asked for by path: the heading it begins with, else of its
    name."""
    return page.heading or title_of(stem_of(page.path))


# --- pages with the same name ---


def twins(target: NewPage, names: Names, scope: Scope) -> list[str]:
    """The pages that answer to the file name or title of a new one already."""
    stem = stem_of(target.path)
    found: list[str] = []
    for name in dict.fromkeys(filter(None, (stem, target.title))):
        for kind in (NameKind.STEM, NameKind.ALIAS, NameKind.TITLE):
            found += names.pages(kind, name)
        found += names.slugs(slug(name))
    own = filter(scope.owns, dict.fromkeys(found))
    return [path for path in own if path != target.path]


def twin_notes(target: NewPage, names: Names, scope: Scope) -> list[str]:
    """What to tell a person who may have meant a page that is there."""
    found = twins(target, names, scope)
    more = f" and {len(found) - _SHOWN_TWINS} more" if len(found) > _SHOWN_TWINS else ""
    return [f"this name is also used by {', '.join(found[:_SHOWN_TWINS])}{more}"] if found else []


_EMPTY = b"-\n"  # as Logseq keeps a page without text
_DAY = pattern(r"(.*[^/\d-][^/]*)/((?:\d{4}(?:[/-]\d\d)?/)?)\d{4}-\d\d-\d\d\.md")
_YEAR, _MONTH = pattern(r"\d{4}"), pattern(r"\b\d\d\b")
_DAY_OF_DENDRON = pattern(r"((?:.*/)?daily(?:\.[^./]+)*)\.(\d{4}\.\d\d\.\d\d)\.md")


class DayBegin(NamedTuple):
    """What the page of a new day begins with."""

    day: str  # ISO
    template: str = ""  # of one's own, filled in
    form: NoteForm | None = None  # what the days before have


def daily_path_of_dendron(day: str, paths: Iterable[str], folder: str) -> str:
    """Where Dendron has the note of a day: beside the latest one, else where it puts its first."""
    found = filter(None, map(_DAY_OF_DENDRON.fullmatch, paths))
    first = f"{folder}/daily.journal".lstrip("/")
    _, start = max(((each[2], each[1]) for each in found), default=("", first))
    return f"{start}.{day.replace('-', '.')}.md"


def layers_with_days(layers: Layers) -> Layers:
    """The layers of the one program within the workspace that has days, where that has none."""
    if layers.dialect.name == DENDRON:
        return layers
    own = [each for each in layers.nested if each.dialect.folder]
    kept = [each for each in own if each.daily or each.dialect.name == DENDRON]
    if len(kept) > 1:
        folders = ", ".join(f"{each.dialect.folder}/" for each in reversed(kept))
        first = next((each.daily for each in reversed(kept) if each.daily), "daily")
        raise ConfigError(
            f"today: several folders have daily pages of their own: {folders}",
            "memwiki config set layers.daily {}",
            first,
        )
    return layers_at(kept[0].dialect.folder, layers) if kept else layers


def daily_path(day: str, layers: Layers, paths: Iterable[str] = ()) -> str:
    """Where the page of a day is; ConfigError, with what the names of these pages propose, when the
    workspace has no folder for them."""
    if not layers.daily:
        folder, name = _where_days_are(paths)
        missing = "today: this workspace has no folder of daily pages"
        if name == ISO:
            raise ConfigError(missing, "memwiki config set layers.daily {}", folder)
        raise ConfigError(
            missing,
            "memwiki config set layers.daily {}; memwiki config set pages.daily_format {}",
            folder,
            name,
        )
    form = layers_at(layers.daily, layers).dialect
    return f"{layers.daily}/{written_day(day, form.day_file or ISO)}.md"


def _where_days_are(paths: Iterable[str]) -> tuple[str, str]:
    """The folder of most pages that are called by a day, and how a file in it is called."""
    days = filter(None, map(_DAY.fullmatch, paths))
    places = Counter((each[1], _MONTH.sub("%m", _YEAR.sub("%Y", each[2]))) for each in days)
    folder, within = max(places, key=places.__getitem__, default=("daily", ""))
    return folder, within + ISO


def daily_page(
    path: str,
    data: bytes | None,
    text: str | None,
    layers: Layers,
    max_bytes: int,
    *,
    begin: DayBegin,
) -> Plan:
    """A plan that makes sure of the page of a day, and adds an item; `data` is the page, if there
    is one."""
    before = data
    if before is None:
        before = _new(path, layers, max_bytes, begin) or _EMPTY * (text is None)
    page = outline_of(path, before, layers)
    after = page if text is None else _with_item(page, text, max_bytes)
    if data is None:
        return Plan((edit_of(path, None, after.data, "new day"),), f"created {path}", "create")
    return page_plan(page, after, "added an item")


def _new(path: str, layers: Layers, max_bytes: int, begin: DayBegin) -> bytes:
    is_dendron = layers_at(path, layers).dialect.name == DENDRON
    title = begin.day if is_dendron else stem_of(path)
    new = NewPage(path, title, "page" if is_dendron else "daily")
    template = begin.template
    asked = PageRequest(title, content=template or None, is_own=bool(template), form=begin.form)
    return page_bytes(new, asked, begin.day, layers, max_bytes)


def _with_item(page: Outline, text: str, max_bytes: int) -> Outline:
    item = as_items(clean_text(text))
    if page.data.strip() == _EMPTY.strip():
        page = page.edited([Patch(0, len(page.text), "")])
    return with_text(page, item, max_bytes)
