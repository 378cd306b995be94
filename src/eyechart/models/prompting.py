"""What a chat model is asked, and what its reply says: prompts are data, and so are the patterns that read replies.

A reply that cannot be read is a failure that is counted, never a guess.
"""

import re
from collections.abc import Sequence
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from string import ascii_uppercase

import msgspec

from eyechart.errors import FormatError, UnknownNameError
from eyechart.registry import did_you_mean

__all__ = ["Prompt", "load_prompt", "prompt_names"]

_WORD = re.compile(r"[^\W_]+")
_MARKS = " \t\r\n\"'`*_.,;:!\u201c\u201d\u2018\u2019"


class Prompt(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """How a question is put to a chat model, and how its reply is read."""

    about: str
    question: str
    """With places for {question} and, where choices are offered, {choices}."""
    without_question: str
    """What is asked where the question is kept from the model."""
    without_picture: str = ""
    """What is said first where there is no picture; nothing leaves the model in the belief that there is one."""
    system: str = ""
    choice: str = ""
    """How a choice is written, with places for {letter} and {choice}; empty for open questions."""
    letters: list[str] = []
    """Patterns that find the group `letter` in a reply, in the order in which they are tried."""
    answers: list[str] = []
    """Patterns that find the group `answer` in a reply to an open question."""
    longest: int = 8
    """An open answer of more words is none."""

    def __post_init__(self) -> None:
        wanted = {"question": self.question, "choices": self.question} if self.choice else {"question": self.question}
        for place, text in wanted.items():
            if f"{{{place}}}" not in text:
                raise ValueError(f"question has no place for {{{place}}}")
        for group, patterns in (("letter", self.letters), ("answer", self.answers)):
            for pattern in patterns:
                if group not in _compiled(pattern).groupindex:
                    raise ValueError(f"the pattern {pattern!r} has no group called {group}")
        if not (self.letters if self.choice else self.answers):
            raise ValueError("no pattern reads its replies")

    def ask(self, question: str, choices: Sequence[str] = (), *, picture: bool = True) -> str:
        """The text of a request.

        >>> print(load_prompt("choices").ask("Is it red?", ["yes", "no"]))
        Is it red?
        A. yes
        B. no
        Answer with the letter of the right choice, and nothing else.
        """
        listed = "\n".join(
            self.choice.replace("{letter}", letter).replace("{choice}", choice)
            for letter, choice in zip(ascii_uppercase, choices, strict=False)
        )
        text = self.question.replace("{choices}", listed).replace("{question}", question or self.without_question)
        return text.strip() if picture else f"{self.without_picture}\n{text.strip()}".strip()

    def read(self, reply: str, choices: Sequence[str] = ()) -> str | None:
        """What a reply answers: one of the choices, or a short text; None if it does not tell.

        >>> load_prompt("choices").read("The answer is (B).", ["red", "blue"])
        'blue'
        >>> load_prompt("open").read("Answer: two dogs.")
        'two dogs'
        >>> load_prompt("open").read("I am sorry, but there is nothing in this picture that I could name.") is None
        True
        """
        return self._chosen(reply, choices) if self.choice else self._said(reply)

    def _said(self, reply: str) -> str | None:
        for pattern in self._answers:
            if found := pattern.search(reply):
                answer = found["answer"].strip(_MARKS)
                return answer if answer and len(answer.split()) <= self.longest else None
        return None

    def _chosen(self, reply: str, choices: Sequence[str]) -> str | None:
        # A reply may be the choice itself, and a choice may be a letter.
        said = _plain(reply)
        same = [choice for choice in choices if _plain(choice) == said]
        if len(set(same)) == 1:
            return same[0]
        for pattern in self._letters:
            if found := pattern.search(reply):
                place = ascii_uppercase.find(found["letter"].upper())
                if place < len(choices):
                    return choices[place]
        return _only_named(reply, choices)

    @cached_property
    def _letters(self) -> list[re.Pattern[str]]:
        return [_compiled(pattern) for pattern in self.letters]

    @cached_property
    def _answers(self) -> list[re.Pattern[str]]:
        return [_compiled(pattern) for pattern in self.answers]


def _plain(text: str) -> str:
    return " ".join(text.strip(_MARKS).lower().split())


def _only_named(reply: str, choices: Sequence[str]) -> str | None:
    """The one choice whose words stand in the reply; "red" is not named by "dark red" if that is offered, too."""
    said, words = _words(reply), {choice: _words(choice) for choice in choices}
    named: list[str] = []
    for choice in sorted(words, key=lambda each: (-len(words[each]), each)):
        if words[choice].strip() and words[choice] in said:
            named.append(choice)
            said = said.replace(words[choice], "  ")
    return named[0] if len(named) == 1 else None


def _words(text: str) -> str:
    return f" {' '.join(_WORD.findall(text.lower()))} "


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error as error:
        raise ValueError(f"the pattern {pattern!r} cannot be read: {error}") from error


def prompt_names() -> list[str]:
    """The packaged prompts.

    >>> prompt_names()
    ['choices', 'choices-guess', 'open', 'open-guess']
    """
    return sorted(path.name.removesuffix(".toml") for path in _folder().iterdir() if path.name.endswith(".toml"))


def load_prompt(name: str) -> Prompt:
    """A packaged prompt by name, or a prompt file.

    >>> load_prompt("open").longest
    8
    """
    if name.endswith(".toml"):
        path = Path(name)
        if not path.is_file():
            raise FormatError(f"{path}: found no such file, expected a prompt; name a packaged one or another file")
        content = path.read_bytes()
    elif name in prompt_names():
        content = (_folder() / f"{name}.toml").read_bytes()
    else:
        raise UnknownNameError(f"no prompt is called {name!r}: {did_you_mean(name, prompt_names())}")
    try:
        return msgspec.toml.decode(content, type=Prompt)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise FormatError(f"prompt {name}: {error}, expected a prompt; correct the file") from error


def _folder() -> Traversable:
    return files("eyechart.models").joinpath("prompts")
