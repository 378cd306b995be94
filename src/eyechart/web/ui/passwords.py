"""Passwords, kept as argon2 hashes, and the secrets of links and sessions, kept as plain hashes of random bytes."""

import hashlib
import secrets
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

__all__ = ["digest", "fits", "hashed", "new_token", "weakness"]

_SHORTEST, _LONGEST = 10, 200
_HASHER = PasswordHasher()


def hashed(password: str) -> str:
    """What is kept of a password.

    >>> fits("correct horse", hashed("correct horse"))
    True
    """
    return _HASHER.hash(password)


def fits(password: str, kept: str | None) -> bool:
    """Whether a password is the one that was hashed; as slow for accounts that do not exist as for those that do.

    >>> fits("anything", None)
    False
    """
    try:
        _HASHER.verify(kept or _nobody(), password)
    except (VerificationError, InvalidHashError):
        return False
    return kept is not None


@cache
def _nobody() -> str:
    return _HASHER.hash(secrets.token_urlsafe(16))


def weakness(password: str, login: str) -> str:
    """What is wrong with a password in a sentence; empty if nothing is.

    >>> weakness("short", "ada")
    'The password has 5 characters; choose one of at least 10, such as four words.'
    """
    if len(password) < _SHORTEST:
        return f"The password has {len(password)} characters; choose one of at least {_SHORTEST}, such as four words."
    if len(password) > _LONGEST:
        return f"The password has {len(password)} characters; choose one of at most {_LONGEST}."
    if len(set(password)) < 4 or password.lower() in {login.lower(), login.lower() * 2}:  # noqa: PLR2004 - aaaaaaaaaa
        return "The password is too easy to guess; choose one that is neither the login nor a single letter repeated."
    return ""


def new_token() -> str:
    """A secret of 256 random bits for a link, a session or a program."""
    return secrets.token_urlsafe(32)


def digest(token: str) -> str:
    """What is kept of such a secret: it cannot be guessed, so a plain hash does.

    >>> len(digest("abc"))
    64
    """
    return hashlib.sha256(token.encode()).hexdigest()
