"""Templates of the user's own: found in a folder, and their placeholders filled in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from difflib import get_close_matches
from itertools import islice
from pathlib import Path

from memwiki.clock import local_moment
from memwiki.errors import ConfigError, NotFoundError, UsageError
from memwiki.files.paths import contain
from memwiki.markdown.edit.yaml import is_plain, scalar_text
from memwiki.markdown.frontmatter import find_block
from memwiki.markdown.outline import Outline
from memwiki.markdown.titles import title_of
from memwiki.names import fold, is_page_name, stem_of, without_suffix
from memwiki.pages.new import NewPage, PageRequest
from memwiki.pages.page import text_now
from memwiki.records import NamedTuple
from memwiki.sync.context import Context
from memwiki.sync.live import LiveIndex
from memwiki.text import pattern
from memwiki.times.day_names import moment

_PLACEHOLDER = pattern(
    r"\{\{[ \t]*(?:(title|tags)|(date|time)(?:[ \t]*:([^{}\n]{1,100}))?)[ \t]*\}\}", re.IGNORECASE
)
_USUAL = {"date": "YYYY-MM-DD", "time": "HH:mm"}
_FIELD = pattern(r"([ \t]*(?:-[ \t]+)?(?:[^\s:#\"'\[\]{}-][^:\"\[\]{}]*:[ \t]+)?)(.*)", re.DOTALL)
_MAX_TEMPLATES = 10_000  # files of a folder of templates


class Filling(NamedTuple):
    """What placeholders stand for."""

    title: str
    at: datetime
    tags: Sequence[str] = ()


# --- filling in ---


def fill_template(text: str, filling: Filling) -> str:
    """The text of a template with its placeholders filled in; others stay as they are."""
    lines = text.split("\n")
    block, _ = find_block([line.rstrip("\r") for line in lines])
    front = range(block.line_start, block.line_end - 1) if block else range(0)
    in_front = _in_toml if block and block.is_toml else _in_front
    return "\n".join(
        in_front(line, filling) if number in front else _in_text(line, filling)
        for number, line in enumerate(lines)
    )


def _in_text(line: str, filling: Filling) -> str:
    tags = " ".join(f"#{tag}" for tag in filling.tags)
    return _PLACEHOLDER.sub(lambda found: _value(found, filling, tags), line)


def _in_front(line: str, filling: Filling) -> str:
    """A line of front matter that is still YAML, whatever a title holds."""
    if "{{" not in line:
        return line
    tags = ", ".join(filling.tags)
    end = "\r" if line.endswith("\r") else ""
    head, value = _FIELD.match(line.removesuffix("\r")).groups()  # type: ignore[union-attr]
    if value[:1] in ("'", '"'):
        fit = _doubled if value[0] == "'" else _escaped
        return head + _PLACEHOLDER.sub(lambda f: fit(_value(f, filling, tags)), value) + end
    new = _PLACEHOLDER.sub(lambda found: _value(found, filling, tags), value)
    kinds = {fold(found[2] or found[1]) for found in _PLACEHOLDER.finditer(value)}
    was_plain = is_plain(_PLACEHOLDER.sub("x", value), is_flow=False, is_text=False)
    if was_plain and "title" in kinds and not is_plain(new, is_flow=False, is_text=True):
        new = scalar_text(new)
    return head + new + end


def _in_toml(line: str, filling: Filling) -> str:
    """A line of TOML that is still one: between `'` there are no escapes."""
    if "{{" not in line:
        return line
    line = line if '"' in line or "\\" in line else line.replace("'", '"')
    tags = ", ".join(filling.tags)
    return _PLACEHOLDER.sub(lambda found: _escaped(_value(found, filling, tags)), line)


def _value(found: re.Match[str], filling: Filling, tags: str) -> str:
    if found[1]:
        return filling.title if fold(found[1]) == "title" else tags
    kind = fold(found[2])
    return moment((found[3] or "").strip() or _USUAL[kind], filling.at)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _doubled(text: str) -> str:
    return text.replace("'", "''")


# --- finding ---


def template_text(context: Context, folder: str, name: str) -> str:
    """The text of a template by its name, its path in the folder, or from the root.

    Raises ConfigError where there is no folder of templates, NotFoundError with those that there
    are.
    """
    root = context.root
    if path := _at(root, name):
        return text_now(context, path)
    if not folder:
        raise ConfigError(
            "new: this workspace has no folder of templates",
            "memwiki config set pages.templates templates",
        )
    known = {fold(without_suffix(each)): each for each in _templates_in(root, folder)}
    by_name = {key.rpartition("/")[2]: each for key, each in reversed(known.items())}
    wanted = fold(without_suffix(name.strip().strip("/")))
    found = known.get(wanted) or by_name.get(wanted)
    if found is None:
        near = get_close_matches(wanted, by_name, n=1)
        names = ", ".join(without_suffix(each) for each in list(known.values())[:10])
        hint = (
            f"did you mean {without_suffix(by_name[near[0]])}?" if near else f"there are: {names}"
        )
        raise NotFoundError(
            f"template {name}: there is none in {folder}/",
            hint if names else f"put markdown files into {folder}/",
        )
    return text_now(context, f"{folder}/{found}")


def _at(root: Path, name: str) -> str:
    """The file that a path from the root leads to, "" where there is none."""
    tries = (contain(root, each) for each in (name, f"{name}.md")) if "/" in name else ()
    return next((path for path in tries if is_page_name(path) and (root / path).is_file()), "")


def _templates_in(root: Path, folder: str) -> list[str]:
    """The paths of the templates below their folder."""
    base = root / contain(root, folder)
    files = (each for each in base.rglob("*") if is_page_name(each.name))
    found = (each for each in files if each.is_file() and not each.is_symlink())
    return sorted(each.relative_to(base).as_posix() for each in islice(found, _MAX_TEMPLATES))


class OwnTemplate(NamedTuple):
    """A template as it is in its file, and the type that its front matter says."""

    live: LiveIndex
    text: str
    type: str

    def filled_in(self, asked: PageRequest, target: NewPage) -> PageRequest:
        """What is asked for, with the template filled in for a page."""
        title = target.title or title_of(stem_of(target.path))
        text = _fill(self.live, self.text, title, asked)
        # A template may say itself where tags go.
        has_tags = any(fold(found[1] or "") == "tags" for found in _PLACEHOLDER.finditer(self.text))
        return asked._replace(content=text, tags=() if has_tags else asked.tags)


def own_template(live: LiveIndex, name: str, content: str | None, path: str = "") -> OwnTemplate:
    """A template by its name, for a page at or below a path. Raises NotFoundError, or ConfigError
    where there is no folder."""
    if content is not None:
        raise UsageError(
            "new: a template and a text together",
            "leave {content} or {template} out",
            arguments={"content": None, "template": None},
        )
    context = live.context
    folder = context.config.pages_at(path).templates
    text = template_text(context, folder, name)
    type_ = Outline(context.layers, path, text).fields.text("type")
    return OwnTemplate(live, text, "" if "{{" in type_ else type_)


def daily_template(live: LiveIndex, path: str) -> str:
    """What a new page of a day begins with; "" where no template is set, or it is not there."""
    pages = live.context.config.pages_at(path)
    if not pages.daily_template:
        return ""
    try:
        text = template_text(live.context, pages.templates, pages.daily_template)
    except (ConfigError, NotFoundError):
        name = pages.daily_template
        live.warnings.append(
            f"pages.daily_template: {name} is not there; the page begins without it"
        )
        return ""
    return _fill(live, text, stem_of(path), PageRequest(""))


def _fill(live: LiveIndex, text: str, title: str, asked: PageRequest) -> str:
    return fill_template(text, Filling(title, local_moment(live.context.clock()), asked.tags))
