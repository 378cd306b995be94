"""Ask-a-model as pages that work without a script: a form, and below it what the model says."""

import base64
import binascii
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, File, Form, Query, Request, UploadFile
from PIL import Image
from starlette.responses import HTMLResponse, Response

from eyechart.pipeline.browsing import picture_of
from eyechart.pipeline.interviewing import Interview
from eyechart.web.ask import kept
from eyechart.web.ask.models import blind, interview, names
from eyechart.web.ui import Account, Here, RefusalError, Requester, Site, answer, moved, picture

__all__ = ["pages"]

pages = APIRouter(prefix="/ask", default_response_class=HTMLResponse)

_LARGEST = 16 << 20
_SHOWN = 800
_GALLERY = 12
_MOST_CHOICES = 30

Name = Annotated[str, Query(max_length=200)]
Text = Annotated[str, Form(max_length=400)]


@dataclass(frozen=True, slots=True)
class Shown:
    """The picture that is asked about: its pixels, how a page refers to it, and how the next form does."""

    picture: Image.Image | None
    address: str
    image_id: str = ""
    again: str = ""
    """The picture itself, for the next question: we do not keep it."""


@pages.get("")
def form_page(
    request: Request,
    site: Here,
    account: Requester,
    model: Name = "",
    image: Annotated[str, Query(max_length=400)] = "",
    kept_as: Annotated[str, Query(max_length=64, alias="kept")] = "",
) -> Response:
    """Choose a model and a picture, and ask."""
    known = names(site)
    if not known:
        return answer(request, "ask/none.html")
    asked = interview(site, model or known[0])
    shown = _kept(site, account, kept_as) if kept_as else _of_benchmark(asked, image) if image else None
    return _page(request, site, account, model or known[0], shown)


@pages.post("")
def reply_page(
    request: Request,
    site: Here,
    account: Requester,
    *,
    model: Annotated[str, Form(max_length=200)],
    question: Text,
    image: Annotated[str, Form(max_length=400)] = "",
    again: Annotated[str, Form(max_length=3 << 20)] = "",
    choices: Annotated[str, Form(max_length=4000)] = "",
    keep: Annotated[str, Form(max_length=3)] = "",
    upload: Annotated[UploadFile | None, File()] = None,
) -> Response:
    """What the model says."""
    asked = interview(site, model)
    shown = _shown(asked, upload, image, again)
    if shown is not None and keep == "yes" and shown.again:
        kept.keep(site, account, base64.b64decode(shown.again))
    offered = list(dict.fromkeys(line.strip() for line in choices.splitlines() if line.strip()))
    if len(offered) > _MOST_CHOICES:
        raise RefusalError(422, f"choices: found {len(offered)} lines, expected at most {_MOST_CHOICES}; offer fewer.")
    own = shown.picture if shown is not None and not shown.image_id else None
    reply = asked.ask(question, picture=own, image_id=shown.image_id or None if shown else None, choices=offered)
    guesser = blind(site) if asked.looks else None
    guess = (guesser[0], guesser[1].ask(question, choices=offered).answers) if guesser else None
    said = {"question": question, "reply": reply, "guess": guess, "choices": "\n".join(offered)}
    return _page(request, site, account, model, shown, **said)


@pages.get("/kept/{name}")
def kept_picture(site: Here, account: Requester, name: str) -> Response:
    """A picture that this account keeps."""
    return Response(kept.read(site, account, name), media_type="image/jpeg", headers={"Cache-Control": "private"})


@pages.post("/forget")
def forget_picture(site: Here, account: Requester, name: Annotated[str, Form(max_length=64)]) -> Response:
    """Delete a picture that this account keeps."""
    kept.forget(site, account, name)
    return moved("/ask")


@pages.get("/picture/{model}/{image_id:path}")
def benchmark_picture(site: Here, account: Requester, model: str, image_id: str, *, small: bool = False) -> Response:  # noqa: ARG001 - the role
    """A picture of the benchmark that a model belongs to."""
    asked = interview(site, model)
    found = picture_of(asked.benchmark, image_id, small=small) if asked.benchmark else None
    if found is None:
        raise RefusalError(404, f"There is no picture of the image {image_id[:80]!r}.")
    return Response(found[0], media_type=found[1], headers={"Cache-Control": "private, max-age=86400"})


def _page(
    request: Request,
    site: Site,
    account: Account,
    model: str,
    shown: Shown | None,
    **said: Any,
) -> Response:
    asked = interview(site, model)
    return answer(
        request,
        "ask/ask.html",
        models=names(site),
        model=model,
        looks=asked.looks,
        shown=shown,
        gallery=_gallery(asked),
        kept=kept.kept(site, account),
        **{"question": "", "reply": None, "guess": None, "choices": "", **said},
    )


def _gallery(asked: Interview) -> Sequence[str]:
    """Some pictures of the benchmark to ask about."""
    if asked.benchmark is None or not asked.looks:
        return []
    return [str(each) for each in asked.benchmark.scan("images").head(_GALLERY).collect()["image_id"]]


def _shown(asked: Interview, upload: UploadFile | None, image: str, again: str) -> Shown | None:
    """The picture that a form names: a new one first, then one of the benchmark, then the one of the last question."""
    if upload is not None and upload.filename:
        content = upload.file.read(_LARGEST + 1)
        if len(content) > _LARGEST:
            raise RefusalError(413, f"The picture is larger than {_LARGEST >> 20} MB; send a smaller one.")
        return _own(content)
    if image:
        return _of_benchmark(asked, image)
    return _again(again) if again else None


def _own(content: bytes) -> Shown:
    """A visitor's picture, drawn anew, as large as a page shows it."""
    drawn, _ = picture(content)
    with Image.open(io.BytesIO(drawn)) as opened:
        pixels = opened.convert("RGB")
    pixels.thumbnail((_SHOWN, _SHOWN))
    small = io.BytesIO()
    pixels.save(small, "JPEG", quality=88)
    again = base64.b64encode(small.getvalue()).decode()
    return Shown(pixels, f"data:image/jpeg;base64,{again}", again=again)


def _again(again: str) -> Shown:
    try:
        return _own(base64.b64decode(again, validate=True))
    except binascii.Error:
        raise RefusalError(
            422, "again: found no picture, expected the one of the last question; choose it anew."
        ) from None


def _kept(site: Site, account: Account, name: str) -> Shown:
    return _own(kept.read(site, account, name))


def _of_benchmark(asked: Interview, image_id: str) -> Shown:
    found = picture_of(asked.benchmark, image_id) if asked.benchmark else None
    if found is None:
        raise RefusalError(404, f"There is no picture of the image {image_id[:80]!r}; choose another.")
    with Image.open(io.BytesIO(found[0])) as opened:
        pixels = opened.convert("RGB")
    return Shown(pixels, f"/ask/picture/{asked.folder.name}/{image_id}", image_id=image_id)
