"""Chat models through Inspect: requests go out several at a time, are tried again, and come back one by one.

Inspect knows the providers (`openai/gpt-4o`, `hf/…`, `vllm/…`, `openai-api/NAME/…` for any server that speaks OpenAI's
language) and waits and tries again when a server is busy, silent or broken. What it cannot mend is told per request.
"""

import asyncio
from base64 import b64encode
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from eyechart.errors import DataError, MissingDependencyError, UsageError

__all__ = ["Chatting", "Reply", "Request", "converse"]

_HOPELESS = 10
"""After so many failures without one reply, nothing more is asked."""


@dataclass(frozen=True)
class Chatting:
    """How a chat model is talked to."""

    connections: int = 8
    """Requests that are under way at once."""
    retries: int = 5
    seconds: int = 120
    """Until an attempt counts as silent."""
    tokens: int = 64
    """Of a reply, at most."""
    temperature: float = 0.0
    base_url: str | None = None


class Request(NamedTuple):
    """One message to a model."""

    text: str
    system: str = ""
    picture: bytes | None = None
    kind: str = "image/png"
    """Of the picture."""


class Reply(NamedTuple):
    """What came back: a text, or why there is none."""

    text: str | None
    problem: str = ""


def converse(
    name: str,
    how: Chatting,
    requests: Iterator[tuple[str, Callable[[], Request]]],
    receive: Callable[[str, Reply], None],
) -> None:
    """Put every request to a model; replies come in the order in which they are ready.

    A request is made when its turn comes, so that pictures are not all in memory. ``name`` is PROVIDER/NAME.

    >>> converse("mockllm/model", Chatting(), iter([]), print)  # a model of Inspect for trying; nothing is asked
    """
    model, message = _model(name, how)

    async def ask(request: Request) -> str:
        return str((await model.generate(message(request))).completion)

    async def talk() -> None:
        async with model:  # its connections are closed at the end
            await _converse(ask, how, requests, receive)

    asyncio.run(talk())


async def _converse(
    ask: Callable[[Request], Awaitable[str]],
    how: Chatting,
    requests: Iterator[tuple[str, Callable[[], Request]]],
    receive: Callable[[str, Reply], None],
) -> None:
    replied = failed = 0

    async def work() -> None:
        nonlocal replied, failed
        # Each worker takes the next request; there is only one thread, so none is taken twice.
        for key, make in requests:
            reply = await _asked(ask, make(), how.retries)
            receive(key, reply)
            replied, failed = replied + (reply.text is not None), failed + (reply.text is None)
            if not replied and failed >= _HOPELESS:
                raise DataError(
                    f"the model: found no reply to the first {failed} requests ({reply.problem}), expected some; check "
                    "its name, the key and the address of its provider"
                )

    workers = [asyncio.ensure_future(work()) for _ in range(how.connections)]
    try:
        await asyncio.gather(*workers)
    finally:
        for worker in workers:
            worker.cancel()


async def _asked(ask: Callable[[Request], Awaitable[str]], request: Request, retries: int) -> Reply:
    """Inspect tries again what a server says of itself; a reply that is no reply is tried again here."""
    problem = ""
    for _ in range(1 + retries):
        try:
            text = await ask(request)
        except (ValueError, TypeError, KeyError, AttributeError, IndexError) as error:
            problem = f"a malformed reply: {_first_line(error)}"
        except Exception as error:  # noqa: BLE001  # every provider has its own, and one must not stop the others
            return Reply(None, _first_line(error))
        else:
            if text.strip():
                return Reply(text)
            problem = "an empty reply"
    return Reply(None, problem)


def _first_line(error: Exception) -> str:
    cause: BaseException = error
    # What was wrong at first says most; what came of it repeats the whole request.
    while cause.__cause__ is not None:
        cause = cause.__cause__
    lines = str(cause).strip().splitlines()
    return f"{type(cause).__name__}: {lines[0][:200]}" if lines else type(cause).__name__


def _model(
    name: str, how: Chatting
) -> tuple[Any, Callable[[Request], list[Any]]]:  # Inspect's types, known when installed
    """A model of Inspect, and how a request becomes its messages."""
    try:
        from inspect_ai.model import (
            ChatMessageSystem,
            ChatMessageUser,
            ContentImage,
            ContentText,
            GenerateConfig,
            get_model,
        )
    except ImportError as error:
        raise MissingDependencyError(
            f"model inspect:{name}: found no package {error.name}, expected it; "
            "install it with pip install 'eyechart[vlm]'"
        ) from error
    config = GenerateConfig(
        max_tokens=how.tokens,
        temperature=how.temperature,
        max_retries=how.retries,
        attempt_timeout=how.seconds,
        max_connections=how.connections,
    )
    try:
        model = get_model(name, config=config, base_url=how.base_url, memoize=False)
    except Exception as error:  # every provider checks its own needs
        raise UsageError(
            f"model inspect:{name}: {_first_line(error)}, expected a provider and a name such as openai/gpt-4o-mini; "
            "name another, or give the provider what it needs"
        ) from error

    def messages(request: Request) -> list[Any]:
        content: list[Any] = [ContentText(text=request.text)]
        if request.picture is not None:
            address = f"data:{request.kind};base64,{b64encode(request.picture).decode()}"
            content.insert(0, ContentImage(image=address))
        first = [ChatMessageSystem(content=request.system)] if request.system else []
        return [*first, ChatMessageUser(content=content)]

    return model, messages
