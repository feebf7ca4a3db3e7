"""`Workspace.models`: which models are set and may be asked, and what they were asked."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import TYPE_CHECKING

from memwiki.answers.curation import (
    AllowedHosts,
    ForgottenReplies,
    ModelCheck,
    ModelRow,
    ModelsReport,
    SpentList,
    SpentRow,
)
from memwiki.answers.index import Embedded, NextStep
from memwiki.answers.workspaces import Setting
from memwiki.config.locations import user_file
from memwiki.config.models import USER, ServerConfig, UserModels, load_user_models
from memwiki.config.values import plain
from memwiki.errors import ModelError
from memwiki.models.outgoing import allowed_hosts, folder_key
from memwiki.models.port import Spent
from memwiki.sync.context import Context
from memwiki.sync.reading import rebuilding
from memwiki.workspace.asking import EnvironFacing

if TYPE_CHECKING:
    from memwiki.index.projection import Progress
    from memwiki.models.ledger import LedgerLine
    from memwiki.models.opening import ModelRun

_FIRST_SETTING = '[models.chat] base_url = "http://127.0.0.1:11434/v1", or file = "model.gguf"'
_CHECK = "then one tiny request tells whether it answers"


class ModelsFacet(EnvironFacing):
    """The models of the user, as far as this workspace may use them."""

    @property
    def _context(self) -> Context:
        return self.live.context

    def show(self) -> ModelsReport:
        """What is set, where each setting comes from, what is allowed, and the next step."""
        models = load_user_models(self._environ)
        run = self._run(models)
        rows = tuple(self._rows(run))
        narrowed = self._context.config.models
        file = str(user_file(self._environ))
        steps = NextStep(f"edit {file}", _FIRST_SETTING), NextStep("memwiki models check", _CHECK)
        return ModelsReport(
            config=file,
            models=rows,
            settings=tuple(_settings(models)),
            is_enabled=narrowed.enabled,
            withhold=narrowed.withhold,
            allowed=allowed_hosts(models, self._context.root),
            notes=models.notes,
            next=() if rows else steps,
        )

    def check(self, *, measure: bool = False, dry_run: bool = False) -> ModelCheck:
        """Ask the model for one word: how long it takes, and in which form it answers; with
        `measure` once more, with as much as it is to read. Raises ModelError."""
        from memwiki.models.check import checked, shown

        run = self.run()
        return shown(run) if dry_run else checked(run, is_measured=measure)

    def allow(self, host: str, *, remove: bool = False) -> AllowedHosts:
        """Let this workspace be sent to a host, or with `remove` no more: one line of the user's
        own settings."""
        from memwiki.setup.named import allow

        hosts = allow(self._context.root, host, self._environ, is_removed=remove)
        return AllowedHosts(folder_key(self._context.root), hosts)

    @rebuilding
    def embed(
        self, *, seconds: float | None = None, limit: int = 0, progress: Progress | None = None
    ) -> Embedded:
        """Embed what has no vector yet, for so many seconds or so many texts at most; what was
        embedded stays, however it ends. Raises NeedsModelError where no model is set for it, and
        ModelError where it cannot be asked."""
        from memwiki.sync.embedding import required_vectors

        vectors = required_vectors(self.live, self._environ)
        most = inf if seconds is None else seconds
        return vectors.fill(self.live, seconds=most, limit=limit, progress=progress)

    def spent(self) -> SpentList:
        """What all models were asked, by month."""
        from memwiki.models.ledger import summed_by, tokens_of_month
        from memwiki.models.opening import ledger_of

        models = load_user_models(self._environ)
        ledger = ledger_of(self._environ, self._context.clock)
        lines = ledger.lines()
        month = ledger.now()[:7]
        summed = summed_by(lines, lambda each: (each.month, each.host, each.model, each.job))
        rows = (_spent(each, models) for each in summed if each.calls)
        return SpentList(
            tuple(sorted(rows, key=lambda row: (row.month, row.host, row.model), reverse=True)),
            month,
            tokens_of_month(lines, month),
            models.budget.tokens_per_month,
            str(ledger.location),
        )

    def forget(self) -> ForgottenReplies:
        """Delete the replies that are kept; what was spent stays noted."""
        replies = self.run().replies
        _, size = replies.size()
        return ForgottenReplies(replies.forget(), size)

    def run(self) -> ModelRun:
        """A run of this workspace, in which models are asked within one budget."""
        return self._run(load_user_models(self._environ))

    def _run(self, models: UserModels) -> ModelRun:
        from memwiki.models.opening import model_run

        context = self._context
        narrowed = context.config.models
        return model_run(context.root, models, narrowed, self._environ, context.clock)

    def _rows(self, run: ModelRun) -> list[ModelRow]:
        """The models that are set, each with what would keep it from being asked."""
        chat, embed = run.models.chat, run.models.embed
        rows = [_row(run, "chat", chat.server, chat.file)] if chat.is_set else []
        if embed.is_set:
            here = "" if embed.base_url else embed.provider
            rows.append(_row(run, "embed", embed.server, here))
        return rows


def _row(run: ModelRun, use: str, server: ServerConfig, here: str) -> ModelRow:
    """A model at a server, or `here` on this machine without one."""
    host, problem = "", ""
    if not here:
        try:
            host = run.address(server).host
            if server.key_env and not run.environ.get(server.key_env):
                problem = f"{server.key_env} is not set"
        except ModelError as error:
            problem = error.message
    return ModelRow(use, server.model, here or server.base_url, host, server.key_env, problem)


def _settings(models: UserModels) -> Iterator[Setting]:
    """What is not as by default."""
    for key in USER.keys().values():
        if origin := models.origins.get(str(key)):
            value = getattr(getattr(models, key.table.partition(".")[2]), key.name)
            yield Setting(str(key), plain(value), origin, key.help)


def _spent(line: LedgerLine, models: UserModels) -> SpentRow:
    """A sum of the ledger, with what it cost where the price of that model is set."""
    from memwiki.models.chat import price_of

    chat, embed = models.chat, models.embed
    spent = Spent(line.calls, line.tokens_in, line.tokens_out)
    if not line.tokens_out and line.model == embed.model:
        price = price_of(spent, embed.price_in, 0)
    else:
        is_chat = line.model == chat.model
        price = price_of(spent, chat.price_in, chat.price_out) if is_chat else None
    return SpentRow(line.month, line.host, line.model, line.job, *spent, price)
