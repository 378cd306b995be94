"""Options for asking chat models, which mean the same in predict and audit."""

from dataclasses import dataclass
from pathlib import Path

from cyclopts import Group, Parameter

from eyechart.pipeline.chatting import Chat, Conversation

__all__ = ["ChatOptions", "conversation_lines"]

_CHAT = Group("Chat models (inspect:PROVIDER/NAME)", sort_key=7)
_EVEN = 2


@Parameter(name="*", group=_CHAT)
@dataclass(frozen=True)
class ChatOptions:
    """How a chat model is asked."""

    prompt: str | None = None
    "open, open-guess, choices, choices-guess, or a prompt file (.toml); open or choices if not said."
    orders: str = "given"
    "The orders in which choices are offered: given, rotations, or how many drawn ones."
    longest: int = 768
    "Of a picture's sides, in pixels; larger pictures are made smaller."
    connections: int = 8
    "Requests under way at once."
    retries: int = 5
    "Attempts after the first."
    timeout: int = 120
    "Seconds after which an attempt is given up."
    tokens: int = 64
    "Of a reply, at most."
    temperature: float = 0.0
    "Of the replies."
    base_url: str | None = None
    "The address of the provider's server, if it is not its own."
    replies: Path | None = None
    "The file in which replies are kept; OUTPUT.replies.jsonl if not said."

    @property
    def chat(self) -> Chat:
        """As the pipeline takes them."""
        from eyechart.models import Chatting

        how = Chatting(
            self.connections, self.retries, self.timeout, self.tokens, self.temperature, base_url=self.base_url
        )
        return Chat(self.prompt, self.longest, self.orders, self.replies, how)


def conversation_lines(found: Conversation) -> list[str]:
    """How it went, in sentences."""
    lines = [f"{found.asked:,} requests, {found.kept:,} of them answered from the file of replies."]
    if found.unread:
        replied = found.asked - found.failed
        lines.append(
            f"{found.unread:,} of {replied:,} replies ({100 * found.unread / replied:.1f} %) do not tell an answer, "
            "and count as wrong."
        )
    if found.failed:
        lines.append(
            f"{found.failed:,} requests failed and count as wrong ({found.problem}); the same command with --force "
            "asks them again."
        )
    taken = sum(found.letters.values())
    if len(found.letters) >= _EVEN and taken:
        shares = ", ".join(f"{letter} {100 * count / taken:.0f} %" for letter, count in found.letters.items())
        lines.append(f"Taken by place: {shares}.")
    if found.agreeing is not None:
        lines.append(f"{100 * found.agreeing:.1f} % of the questions are answered alike in every order of the choices.")
    return lines
