"""A source on its way into raw/: where it is kept, and the page about it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256

from memwiki.answers.curation import KeptSource
from memwiki.answers.pages import Edited
from memwiki.change.plan import Edit, Plan, edit_of
from memwiki.commit.additions import place_of_new
from memwiki.commit.carry_out import carry_out
from memwiki.digest import digest_of
from memwiki.errors import AlreadyExistsError, ConfigError
from memwiki.files.paths import contain
from memwiki.files.read import current_bytes, exists, read
from memwiki.ingest.incoming import IncomingSource, incoming
from memwiki.markdown.edit.fields import set_field
from memwiki.markdown.fields import first_text
from memwiki.markdown.outline import Outline, outline_of
from memwiki.names import first_free, is_in_folder, require_text
from memwiki.nouns import LOGSEQ, Layers
from memwiki.pages.new import NewPage, PageRequest, page_bytes, skeleton, twins
from memwiki.pages.page import file_name
from memwiki.proposals.page_operations import SOURCE, link_to, may_grow, source_page_of, sources_of
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import reading
from memwiki.text import has_chinese

_MIN_SHARED = 0.25  # of the lines, in what another version of a source has of it


class Keeping:
    """One source in one workspace: what of it is there, and what is to be written."""

    def __init__(self, live: LiveIndex, source: IncomingSource, resource: str) -> None:
        require_text("ingest", resource)
        self._live, self._source, self._resource = live, source, resource
        self._raw = live.context.own_layers().raw
        if not self._raw:
            raise ConfigError(
                "ingest: no folder of sources is set", "memwiki config set layers.raw raw"
            )

    def keep(self, *, has_title: bool, dry_run: bool) -> KeptSource:
        """Keep it, unless that was done; AlreadyExistsError for the title of another page, if it
        `has_title` of its own."""
        known = self._same()
        page = source_page_of(self._live, known) if known else self._other_version()
        path, text = self._places(known)
        if known and page:
            done = self._again(known, page, has_title=has_title, dry_run=dry_run)
            return self._report(path, text, page, done)
        target = None if page else self._new_page(has_title=has_title)
        edits = list(self._files(path, text))

        def make() -> Plan:
            about = self._renewed(page, text) if target is None else self._begun(target, path, text)
            return Plan((*edits, about), f"kept {path}", "ingest", details=self._details)

        edited = carry_out(self._live, make, asks_index=True, dry_run=dry_run)
        return self._report(path, text, target.path if target else page, edited)

    def _again(self, known: str, page: str, *, has_title: bool, dry_run: bool) -> Edited:
        """Of what is kept already the address, where its page has none; what stays as it is there
        is a note."""
        outline, said = self._outline(page), f"{known} is kept already"
        address = _address_in(outline)
        given = (
            ("resource", address, self._resource if address else ""),
            ("title", outline.title, self._source.title if has_title else ""),
        )
        kept = (
            f"its {name} is {now}, and stays so" for name, now, new in given if new not in ("", now)
        )
        notes = tuple(f"{page}: {each}" for each in kept)
        if address or not self._resource:
            return Edited("ingest", said, (), dry_run=dry_run, notes=notes)

        def make() -> Plan:
            now = self._outline(page)
            after = set_field(now, "resource", self._resource)
            edit = edit_of(page, now.data, after.data, "address of the source")
            return Plan((edit,), f"{said}; noted its address", "ingest", details=self._details)

        return carry_out(self._live, make, asks_index=True, dry_run=dry_run, notes=notes)

    def _report(self, path: str, text: str, page: str, edited: Edited) -> KeptSource:
        return KeptSource(path, text, page, self._source.title, self._sha256, edited)

    @property
    def _details(self) -> tuple[str, str]:
        """What the journal says of it."""
        return f"source: {self._resource or self._source.name}", f"sha256: {self._sha256}"

    @property
    def _sha256(self) -> str:
        return sha256(self._source.data).hexdigest()

    def _same(self) -> str:
        """The page of raw/ that has the text of this source; "" for none."""
        digest = digest_of(self._source.text)
        with reading(self._live, is_making=True) as view:
            cards = view.lookup.cards()
            found = (
                e.path for e in cards if e.digest == digest and is_in_folder(e.path, self._raw)
            )
            return next(found, "")

    # --- files ---

    def _places(self, known: str) -> tuple[str, str]:
        """Where the bytes are or go, and the page whose lines are cited: where they are already,
        else names that no other file has."""
        suffix = self._source.suffix
        stem = f"{self._raw}/{file_name(self._source.stem)}"

        def is_taken(path: str) -> bool:
            of_bytes = path.removesuffix(".md") + suffix
            return self._is_other(path, b"") or self._is_other(of_bytes, self._source.data)

        root = self._live.context.root
        text = known or contain(root, first_free(stem, ".md", is_taken))
        return text if suffix == ".md" else text.removesuffix(".md") + suffix, text

    def _is_other(self, path: str, data: bytes) -> bool:
        now = current_bytes(self._live.context.root, path)
        return now is not None and now != data

    def _files(self, path: str, text: str) -> Iterator[Edit]:
        found = {path: self._source.data, text: self._source.text}
        for each, data in found.items():
            if not exists(self._live.context.root, each):
                yield Edit(each, "", data, "source")

    # --- another version of what is there ---

    def _other_version(self) -> str:
        """The page about an earlier version of the source: of the same address, else of the same
        file name and in part of the same lines."""
        if self._resource:
            return next(filter(self._is_of_address, self._source_pages()), "")
        first = f"{self._raw}/{file_name(self._source.stem)}.md"
        page = source_page_of(self._live, first)
        return page if page and self._shares_lines(self._last_text(page) or first) else ""

    def _source_pages(self) -> Sequence[str]:
        with reading(self._live, is_making=True) as view:
            cards = view.lookup.cards()
            return [
                each.path for each in cards if each.type == SOURCE and view.scope.owns(each.path)
            ]

    def _is_of_address(self, path: str) -> bool:
        data = read(self._live.context.root, path)
        if self._resource.encode() not in data:
            return False
        return _address_in(self._outline(path)) == self._resource

    def _last_text(self, page: str) -> str:
        """The latest of the sources that a page names."""
        names = sources_of(self._outline(page)) or [""]
        with reading(self._live) as view:
            return view.find(names[-1].strip("[]")) if names[-1] else ""

    def _shares_lines(self, path: str) -> bool:
        known, new = (
            {line.strip() for line in data.splitlines() if line.strip()}
            for data in (current_bytes(self._live.context.root, path) or b"", self._source.text)
        )
        return len(known & new) >= _MIN_SHARED * min(len(known), len(new))

    def _outline(self, path: str) -> Outline:
        context = self._live.context
        return outline_of(path, read(context.root, path), context.layers)

    # --- the page about it ---

    def _new_page(self, *, has_title: bool) -> NewPage:
        """A title and place that no page has."""
        plain = self._source.title
        more = "（来源{}）" if has_chinese(plain) else " (source{})"
        numbered = (plain, *(f"{plain}{more.format(n)}" for n in ("", *range(2, 100))))
        for each in (plain,) if has_title else numbered:
            target = self._place(each)[0]
            with reading(self._live, is_making=True) as view:
                known = twins(target, view.lookup, view.scope)
            is_there = exists(self._live.context.root, target.path)
            if not (is_there or any(may_grow(self._live, each) for each in known)):
                return target
        raise AlreadyExistsError(f"{plain}: a page is called so already", "give another --title")

    def _place(self, title: str) -> tuple[NewPage, Layers]:
        context = self._live.context
        is_titled = context.config.pages_at("").is_named_by_title
        return place_of_new(context, PageRequest(title, SOURCE, is_titled=is_titled))

    def _begun(self, target: NewPage, path: str, text: str) -> Edit:
        context, layers = self._live.context, self._place(target.title)[1]
        where = f"[[{path}]]" if path != text else link_to(text)
        said = "原文：" if has_chinese(target.title) else "Source: "
        body = f"{skeleton(target._replace(type=''))}\n{said}{where}\n"
        asked = PageRequest(target.title, SOURCE, content=body)
        data = page_bytes(target, asked, context.today, layers, context.max_bytes)
        page = outline_of(target.path, data, layers)
        return Edit(target.path, "", self._stamped(page, text).data, "page about the source")

    def _renewed(self, path: str, text: str) -> Edit:
        page = self._outline(path)
        return edit_of(path, page.data, self._stamped(page, text).data, "another version")

    def _stamped(self, page: Outline, text: str) -> Outline:
        """The page with where its source is from, and what it was."""
        context = self._live.context
        names = [*(sources_of(page) or ()), link_to(text)]
        is_list = page.layers.dialect.name != LOGSEQ
        page = set_field(page, "sources", names if is_list else ", ".join(names))
        fields = {"resource": self._resource, "retrieved": context.today, "sha256": self._sha256}
        if not self._source.is_text:
            fields["text_sha256"] = sha256(self._source.text).hexdigest()
        for name, value in fields.items():
            if value:
                page = set_field(page, name, value)
        return page


def _address_in(page: Outline) -> str:
    return first_text(page.front.fields.get("resource", ""))


def keep(
    live: LiveIndex, data: bytes, name: str, *, resource: str, title: str, dry_run: bool
) -> KeptSource:
    """Keep a source in raw/ as it came, with its text beside it and a page about it."""
    context = live.context
    most, page = context.config.ingest.max_bytes, context.config.files.max_bytes
    layers = context.layers
    source = incoming(data, name, title, max_bytes=most, max_page_bytes=page, layers=layers)
    keeping = Keeping(live, source, resource.strip())
    return keeping.keep(has_title=bool(title), dry_run=dry_run)
