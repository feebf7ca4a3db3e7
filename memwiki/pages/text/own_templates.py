"""A template of the user's own, as a new page and the page of today begin with it."""

from __future__ import annotations

from typing import NamedTuple

from memwiki.clock import local_moment
from memwiki.errors import ConfigError, NotFoundError, UsageError
from memwiki.markdown.outline import Outline
from memwiki.markdown.titles import title_of
from memwiki.names import stem_of
from memwiki.pages.text.new import NewPage, PageRequest
from memwiki.pages.text.own import Filling, filled, has_tags, template_text
from memwiki.sync.live import LiveIndex


class OwnTemplate(NamedTuple):
    """A template as it is in its file, and the type that its front matter says."""

    live: LiveIndex
    text: str
    type: str

    def filled_in(self, asked: PageRequest, target: NewPage) -> PageRequest:
        """What is asked for, with the template filled in for a page."""
        title = target.title or title_of(stem_of(target.path))
        text = _filled(self.live, self.text, title, asked)
        return asked._replace(content=text, tags=() if has_tags(self.text) else asked.tags)


def own_template(live: LiveIndex, name: str, content: str | None, path: str = "") -> OwnTemplate:
    """A template by its name, for a page at or below a path. Raises NotFoundError, or ConfigError
    where there is no folder."""
    if content is not None:
        raise UsageError(
            "new: a template and a text together",
            hint="leave {content} or {template} out",
            arguments={"content": None, "template": None},
        )
    context = live.context
    folder = context.config.pages_at(path).templates
    text = template_text(context.root, folder, name, context.max_bytes)
    said = Outline(context.layers, path, text).fields.text("type")
    return OwnTemplate(live, text, "" if "{{" in said else said)


def daily_template(live: LiveIndex, path: str) -> str:
    """What a new page of a day begins with; "" where no template is set, or it is not there."""
    pages = live.context.config.pages_at(path)
    if not pages.daily_template:
        return ""
    try:
        text = template_text(
            live.context.root, pages.templates, pages.daily_template, live.context.max_bytes
        )
    except (ConfigError, NotFoundError):
        name = pages.daily_template
        live.warnings.append(
            f"pages.daily_template: {name} is not there; the page begins without it"
        )
        return ""
    return _filled(live, text, stem_of(path), PageRequest(""))


def _filled(live: LiveIndex, text: str, title: str, asked: PageRequest) -> str:
    return filled(text, Filling(title, local_moment(live.context.clock()), asked.tags))
