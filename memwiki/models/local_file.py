"""A GGUF file as a model: served by this process on a port of this machine, with a key that nobody
else has; the one home of xllamacpp."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memwiki.errors import MissingExtraError, ModelError
from memwiki.models.chat import ChatServer, KnownServers
from memwiki.models.outgoing import address_of

if TYPE_CHECKING:
    from memwiki.models.opening import ModelRun

_MAGIC = b"GGUF"
_HOST = "127.0.0.1"


class FileChat(ChatServer):
    """A Chat whose server ends with it."""

    served: Any = None

    @property
    def key(self) -> str:
        """The file; its port is another one each time."""
        return f"file {self._settings.file}"

    def close(self) -> None:
        """Let go of the connection, and of the model with all of its memory."""
        super().close()
        self.served = None


def served_chat(run: ModelRun) -> FileChat:
    """The model of the file that is set. Raises ModelError."""
    from memwiki.models.endpoint import Endpoint

    chat = run.models.chat
    key = secrets.token_hex(16)
    served = _serve(Path(chat.file).expanduser(), chat.context_tokens, key)
    address = address_of(f"{served.listening_address}/v1")
    settings = chat._replace(model=chat.model or Path(chat.file).stem)
    endpoint = Endpoint(address, settings, key, run.timing, "models.chat")
    found = FileChat(settings, endpoint, run.budget, KnownServers(run.cache))
    found.served = served
    return found


def _serve(file: Path, context_tokens: int, key: str) -> Any:  # noqa: ANN401 - it has no types
    """The server of a file, on a free port; one thread, since more of them only wait for each other
    where the cores are shared (21 times the processor time for the same answer, 2026-11-24)."""
    _require_gguf(file)
    try:
        import xllamacpp
    except ImportError as error:
        raise MissingExtraError("gguf", "xllamacpp") from error
    params = xllamacpp.CommonParams()
    params.model.path = str(file)
    params.n_ctx = context_tokens
    params.n_parallel = 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.warmup, params.ui, params.offline, params.verbosity = False, False, True, -1
    params.hostnames, params.port, params.api_keys = [_HOST], 0, [key]
    try:
        server = xllamacpp.Server(params)
        # One that is freed before its loop runs waits for ever, in one of five tries (2026-11-25).
        server.handle_completions({"prompt": "a", "max_tokens": 1})
    except RuntimeError as error:
        raise _unusable(file, "cannot be loaded") from error
    return server


def _require_gguf(file: Path) -> None:
    try:
        with file.open("rb") as opened:
            is_right = opened.read(len(_MAGIC)) == _MAGIC
    except OSError as error:
        raise _unusable(file, f"cannot be read ({error.strerror})") from error
    if not is_right:
        raise _unusable(file, "is no GGUF file")


def _unusable(file: Path, what: str) -> ModelError:
    return ModelError.at(file, what, "name another file in models.chat.file")
