"""Settings of a participant behind a wire: what its requests have besides the dialogue.

    --agent-settings temperature=0.7,max_tokens=300,seed=5,body.reasoning_effort=low
    --agent-settings azure.yaml

    key: AZURE_KEY                       # azure.yaml: the environment's variable with the key
    key_header: api-key
    query: {api-version: "2024-10-21"}
    headers: {X-Team: $TEAM}
    temperature: null

A run's record contains no key: it is read from the environment with each request, and so is a
header that begins with `$`.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import msgspec

from dialoom.dialogue.annotation import Struct
from dialoom.errors import UsageError, clip
from dialoom.schema.places import read_document

KEY = "OPENAI_API_KEY"
"""The environment's variable with the key, unless the settings name another."""

AUTHORIZATION = "Authorization"
"""The header whose key has the word Bearer before it."""


class WireSettings(Struct, frozen=True, kw_only=True):
    """Settings of the requests to a participant.

    Attributes:
        temperature: The randomness of a model's words; None leaves it to the server.
        max_tokens: The most tokens of an answer.
        seed: The seed that a model draws by.
        body: Further fields of a model's request, such as `reasoning_effort`.
        headers: Headers of each request; one that begins with `$` is read from the environment.
        query: The query of the address, such as Azure's `api-version`.
        key: The environment's variable that holds the key, where the server wants one.
        key_header: The header that carries the key.
    """

    temperature: float | None = 0.0
    max_tokens: int | None = None
    seed: int | None = None
    body: dict[str, Any] = {}
    headers: dict[str, str] = {}
    query: dict[str, str] = {}
    key: str = KEY
    key_header: str = AUTHORIZATION

    @property
    def asked(self) -> dict[str, Any]:
        """The fields of a model's request besides the dialogue."""
        fields = {name: getattr(self, name) for name in ("temperature", "max_tokens", "seed")}
        return {name: value for name, value in fields.items() if value is not None} | self.body

    @property
    def credentials(self) -> dict[str, str]:
        """The header with the key; none where the environment has no key by the usual name.

        Raises:
            UsageError: The settings name another variable, which is not in the environment, or the
                key has characters that no header takes.
        """
        if self.key == KEY and KEY not in os.environ:
            return {}
        key = _variable("key", self.key)
        bearer = "Bearer " if self.key_header == AUTHORIZATION else ""
        return {_plain("key_header", self.key_header): f"{bearer}{key}"} if key else {}

    @property
    def sent(self) -> dict[str, str]:
        """The headers of each request; `UsageError` as of `credentials`."""
        return {_plain("header", k): _expanded(k, value) for k, value in self.headers.items()}


DEFAULT = WireSettings()

TEXTUAL = ("headers", "query")
"""Settings whose values are texts, also where they look like numbers."""


def _expanded(name: str, value: str) -> str:
    what = f"header {clip(name)}"
    return _variable(what, value[1:]) if value.startswith("$") else _plain(what, value)


def _variable(what: str, name: str) -> str:
    value = os.environ.get(name)
    if value is None:
        message = f"{what}: the environment has no variable {clip(name)}"
        raise UsageError(message, code="not-given")
    return _plain(f"{what}: the environment's variable {clip(name)}", value)


def _plain(what: str, text: str) -> str:
    """Return part of a header without spaces around it; errors never quote it: keys are secret."""
    text = text.strip()
    if not (text.isascii() and text.isprintable()):
        message = f"{what} has characters that no header takes; these are printable ASCII"
        raise UsageError(message, code="wrong-value")
    return text


def read_settings(text: str | None, option: str) -> WireSettings:
    """Return the settings that an option names: a YAML file, or `name=value` and commas.

    Args:
        text: The text after the option; None for the default settings.

    Raises:
        UsageError: There is no such setting, or a value is of the wrong kind.
        MissingDataError: There is no such file.
        SchemaError: It is no YAML.
    """
    if text is None:
        return DEFAULT
    file = Path(text)
    is_yaml = file.suffix in (".yaml", ".yml")
    settings = read_document(file).value if is_yaml else _of_text(text, option)
    try:
        return msgspec.convert(settings, WireSettings, strict=False)
    except msgspec.ValidationError as error:
        raise UsageError(f"{option} {clip(text)}: {error}") from None


def _of_text(text: str, option: str) -> dict[str, Any]:
    settings: dict[str, Any] = {}
    for part in text.split(","):
        path, equal, value = part.strip().partition("=")
        if not (path and equal):
            what = "write name=value, with commas between settings, or name a YAML file"
            raise UsageError(f"{option} {clip(text)}: {what}")
        *outer, name = path.split(".", 1)
        group = settings.setdefault(outer[0], {}) if outer else settings
        if not isinstance(group, dict):
            raise UsageError(
                f"{option} {clip(text)}: {clip(outer[0])} holds a value already", code="twice"
            )
        parsed = _value(value)
        numeric = outer and outer[0] in TEXTUAL and not isinstance(parsed, str)
        group[name] = value if numeric else parsed
    return settings


def _value(text: str) -> Any:
    try:
        return msgspec.json.decode(text.encode())
    except msgspec.DecodeError:
        return text
