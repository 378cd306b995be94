"""Pictures that somebody asked us to keep; every other one is gone with the answer."""

import hashlib
from pathlib import Path

from eyechart.web.ui import Account, RefusalError, Site

__all__ = ["forget", "keep", "kept", "read"]

_MOST = 50
_HASH = 64


def keep(site: Site, account: Account, content: bytes) -> str:
    """Keep a picture for an account, under the hash of its pixels as we drew them."""
    folder = _folder(site, account)
    name = hashlib.sha256(content).hexdigest()
    if not (folder / name).exists() and len(kept(site, account)) >= _MOST:
        raise RefusalError(422, f"You keep {_MOST} pictures already; forget one first.")
    partial = folder / f".{name}"
    partial.write_bytes(content)
    partial.replace(folder / name)
    return name


def kept(site: Site, account: Account) -> list[str]:
    """What an account keeps, the newest first."""
    found = [path for path in _folder(site, account).iterdir() if len(path.name) == _HASH]
    return [path.name for path in sorted(found, key=lambda path: path.stat().st_mtime, reverse=True)]


def read(site: Site, account: Account, name: str) -> bytes:
    """A picture that this account keeps."""
    if name not in kept(site, account):
        raise RefusalError(404, "There is no such picture, or somebody else keeps it.")
    return (_folder(site, account) / name).read_bytes()


def forget(site: Site, account: Account, name: str) -> None:
    """Delete a picture."""
    if name in kept(site, account):
        (_folder(site, account) / name).unlink(missing_ok=True)


def _folder(site: Site, account: Account) -> Path:
    folder = site.files / "asked" / str(account.account_id)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder
