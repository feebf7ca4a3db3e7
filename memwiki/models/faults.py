"""What may go wrong when a model is asked, each fault with its code and the next step."""

from __future__ import annotations

from memwiki.errors import ModelError


class ModelNotAllowedError(ModelError):
    """This workspace may not be sent to this host."""

    code = "model_not_allowed"

    def __init__(self, host: str, why: str = "") -> None:
        what = why or "nothing of this workspace may be sent there"
        super().__init__(f"{host}: {what}", "" if why else "memwiki models allow {}", host)


class ModelUnreachableError(ModelError):
    """Nobody answers at the address of the model."""

    code = "model_unreachable"

    def __init__(
        self, host: str, why: str, *, is_passing: bool = True, was_sent: bool = False
    ) -> None:
        super().__init__(f"{host}: cannot be reached ({why})", "is the server running?")
        self.is_passing, self.was_sent = is_passing, was_sent


class ModelKeyError(ModelError):
    """The key of the model's server is missing or not accepted."""

    code = "model_key"

    def __init__(self, host: str, variable: str, why: str) -> None:
        named = f"check the key in {variable}" if variable else "name its variable in key_env"
        super().__init__(f"{host}: {why}", named)


class ModelMoneyError(ModelError):
    """The account at the model's server has no money or quota left."""

    code = "model_money"

    def __init__(self, host: str, words: str) -> None:
        super().__init__(f"{host}: takes no more requests: {words}", "look at your account there")


class ModelNameError(ModelError):
    """The server knows no such model."""

    code = "model_name"

    def __init__(self, host: str, model: str, known: tuple[str, ...] = ()) -> None:
        hint = f"it has {', '.join(known)}" if known else "check base_url and model"
        super().__init__(f"{host}: has no model {model}", hint, candidates=known)


class ModelBusyError(ModelError):
    """The server wants fewer requests."""

    code = "model_busy"
    is_passing = True

    def __init__(self, host: str, wait_seconds: float | None) -> None:
        wait = f"wait {wait_seconds:.0f} seconds" if wait_seconds else "try again in a minute"
        super().__init__(f"{host}: has too many requests", wait)
        self.wait_seconds = wait_seconds


class ModelDownError(ModelError):
    """The server of the model failed."""

    code = "model_down"
    is_passing = True

    def __init__(self, host: str, words: str) -> None:
        super().__init__(f"{host}: failed: {words}", "try again, or look at the server's log")


class ModelSlowError(ModelError):
    """The server of the model was silent, or did not end, for longer than is waited."""

    code = "model_slow"

    def __init__(self, host: str, what: str, setting: str) -> None:
        super().__init__(f"{host}: {what}", f"raise {setting}, or ask a smaller model")


class ModelReplyError(ModelError):
    """The reply of the model cannot be used."""

    code = "model_reply"

    def __init__(self, host: str, what: str, *, is_passing: bool = False) -> None:
        super().__init__(f"{host}: {what}", "try again, or another model")
        self.is_passing = is_passing


class ModelCutError(ModelError):
    """The reply came to its limit of tokens before it was whole."""

    code = "model_cut"

    def __init__(self, host: str, tokens: int) -> None:
        what = f"the reply was not whole after {tokens:,} tokens"
        super().__init__(f"{host}: {what}", "ask about less at once, or raise context_tokens")


class ModelTooLongError(ModelError):
    """The request is longer than the model reads."""

    code = "model_too_long"

    def __init__(self, host: str, what: str, read_tokens: int = 0) -> None:
        hint = "ask about less at once, or give the model more context"
        super().__init__(f"{host}: {what}", hint)
        self.read_tokens = read_tokens  # as far as the server told


class ModelRefusedError(ModelError):
    """The model, or a filter before it, refused to answer."""

    code = "model_refused"

    def __init__(self, host: str, words: str) -> None:
        super().__init__(f"{host}: refused: {words}", "leave out what it refuses, or ask another")


class ModelAddressError(ModelError):
    """The address of the model cannot be used, or leads elsewhere."""

    code = "model_address"


class ModelBudgetError(ModelError):
    """The next request would pass a budget that you set; it was not sent."""

    code = "model_budget"

    def __init__(self, what: str, setting: str) -> None:
        super().__init__(f"models.budget.{setting}: {what}", f"raise {setting} in config.toml")
