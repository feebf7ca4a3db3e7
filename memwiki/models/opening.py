"""What is set becomes a model that can be asked: allowed, counted, and with the key of its
variable."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from memwiki.clock import Clock, now_ns
from memwiki.config.locations import cache_root, user_state
from memwiki.config.models import OPENAI, ServerConfig, UserModels
from memwiki.config.schema import ModelsConfig
from memwiki.errors import NeedsModelError
from memwiki.models.chat import ChatServer, KnownServers
from memwiki.models.faults import ModelKeyError, Timing
from memwiki.models.ledger import Budget, Ledger
from memwiki.models.outgoing import Address, address_of, require_allowed, require_enabled
from memwiki.models.replies import MODELS_FOLDER, Replies
from memwiki.nouns import Environ

if TYPE_CHECKING:
    from memwiki.models.embeddings import HttpEmbedder
    from memwiki.models.endpoint import Endpoint


class ModelRun(NamedTuple):
    """One command in one workspace, for which models may be asked within one budget."""

    root: Path
    models: UserModels
    narrowed: ModelsConfig
    environ: Environ
    budget: Budget
    timing: Timing = Timing()

    @property
    def cache(self) -> Path | None:
        """Where replies are kept, and what servers take."""
        root = cache_root(self.environ, self.root)
        return root / MODELS_FOLDER if root else None

    @property
    def replies(self) -> Replies:
        """The replies that are kept."""
        return Replies(self.cache)

    def chat(self) -> ChatServer:
        """The model that answers. Raises ModelError when there is none, or not for this
        workspace."""
        chat = self.models.chat
        if not chat.is_set:
            raise NeedsModelError("models.chat: no model is set", "memwiki models")
        if chat.file:
            from memwiki.models.local_file import served_chat

            require_enabled(self.narrowed, chat.file)
            return served_chat(self)
        endpoint = self._endpoint(chat, "models.chat")
        return ChatServer(chat, endpoint, self.budget, KnownServers(self.cache))

    def embedder(self) -> HttpEmbedder:
        """The server that makes vectors; those of this machine are opened elsewhere. Raises
        ModelError."""
        embed = self.models.embed
        if embed.provider != OPENAI:
            raise NeedsModelError("models.embed: no server is set", "memwiki models")
        from memwiki.models.embeddings import HttpEmbedder

        endpoint = self._endpoint(embed, "models.embed")
        return HttpEmbedder(embed, endpoint, self.budget, KnownServers(self.cache))

    def address(self, server: ServerConfig) -> Address:
        """Where a table leads, if this workspace may be sent there. Raises ModelError."""
        address = address_of(server.base_url, server.http_hosts)
        require_allowed(address, self.models, self.narrowed, self.root)
        return address

    def _endpoint(self, server: ServerConfig, table: str) -> Endpoint:
        address = self.address(server)
        key = self.environ.get(server.key_env, "") if server.key_env else ""
        if server.key_env and not key:
            raise ModelKeyError(address.host, server.key_env, f"{server.key_env} is not set")
        from memwiki.models.endpoint import Endpoint

        return Endpoint(address, server, key, self.timing, table)


def model_run(
    root: Path,
    models: UserModels,
    narrowed: ModelsConfig,
    environ: Environ,
    clock: Clock = now_ns,
) -> ModelRun:
    """A run with a budget of its own."""
    budget = Budget(models.budget, Ledger(user_state(environ), clock))
    return ModelRun(root, models, narrowed, environ, budget)
