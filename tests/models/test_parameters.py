"""How many numbers each network has, by its description; and what its parts must come to."""

from typing import Any

import msgspec
import pytest
import torch

from eyechart.models import MODELS
from eyechart.models.kinds import Network, Sizes

PHOTO = {"picture": 4096, "answers": 1000}


def count(name: str, sizes: Sizes, **settings: Any) -> int:
    """How many numbers a network of these sizes learns."""
    kind = MODELS.load(name)
    assert isinstance(kind, Network)
    with torch.device("meta"):
        module = kind.build(msgspec.convert(settings, kind.settings), sizes)
    return sum(weight.numel() for weight in module.parameters())


def affine(width: int, out: int) -> int:
    return width * out + out


def lstm(width: int, state: int, ways: int = 1) -> int:
    return ways * 4 * (state * (width + state) + 2 * state)


def test_deeper_lstm_has_the_published_sizes() -> None:
    """14,770 words and the unknown one: 13,836,224 numbers as its code has it, 17,520,424 as its paper has it."""
    sizes = Sizes(words=14_772, **PHOTO)
    assert count("fusion", sizes, variant="code") == 13_836_224
    assert count("fusion", sizes, variant="paper") == 17_520_424


def test_channels_of_the_first_models() -> None:
    """Words, captions and pictures, alone and together: two hidden layers of 1,000 over 1,030 to 5,126 numbers."""
    sizes = Sizes(bag=1030, caption=1000, **PHOTO)

    def head(width: int) -> int:
        return affine(width, 1000) + affine(1000, 1000) + affine(1000, 1000)

    assert count("fusion", sizes, question="bow", picture="none") == head(1030)
    assert count("fusion", sizes, question="bow", picture="raw") == head(5126)
    assert count("fusion", sizes, question="bow", picture="none", caption=True) == head(2030)
    assert count("fusion", sizes, question="none", picture="raw") == head(4096)


@pytest.mark.parametrize(
    ("question", "picture", "expected"),
    [(False, False, 2_473_985), (True, False, 4_931_585), (False, True, 19_251_201), (True, True, 21_708_801)],
)
def test_mlps_have_the_sizes_of_one_layer(question: bool, picture: bool, expected: int) -> None:  # noqa: FBT001
    """The split of the first layer by what is seen has as many numbers as one layer over all of it."""
    assert count("mlp", Sizes(meaning=300, picture=2048), question=question, picture=picture) == expected


def test_bottom_up_of_the_code() -> None:
    """GRU of 1,024, product attention, classifier of 2,048; each weight has one length beside its direction."""
    gru = 3 * (1024 * (300 + 1024) + 2 * 1024)
    layers = [(2048, 1024), (1024, 1024), (1024, 1), (1024, 1024), (2048, 1024), (1024, 2048), (2048, 3129)]
    expected = 1000 * 300 + gru + sum(affine(*each) + 1 for each in layers)
    assert count("bottom-up", Sizes(words=1001, picture=2048, answers=3129), variant="code") == expected


def test_mac_of_gqa() -> None:
    """Four steps share one cell; only the views of the question are their own."""
    square, double = affine(512, 512), affine(1024, 512)
    cell = 5 * square + 2 * affine(512, 1) + 2 * square + 2 * double
    rest = 1000 * 300 + lstm(300, 256, 2) + affine(2048, 512) + square + affine(1536, 512) + affine(512, 1878)
    assert count("mac", Sizes(words=1001, picture=2048, answers=1878)) == cell + rest


def test_mcb_keeps_its_drawn_sketch() -> None:
    """Places and signs are saved with the weights, and are none of what is learned."""
    sizes = Sizes(words=101, picture=64, answers=10)
    kind = MODELS.load("mcb")
    assert isinstance(kind, Network)
    module = kind.build(msgspec.convert({"size": 128, "state": 16}, kind.settings), sizes)
    saved = set(module.state_dict())
    learned = {name for name, _ in module.named_parameters()}
    assert {"join.h_one", "join.s_one", "join.h_other", "join.s_other"} <= saved - learned


def test_every_network_is_counted() -> None:
    """Whoever adds a network says how large it is, here."""
    counted = {"fusion", "mlp", "bottom-up", "mac", "mcb"}
    shown = {"spatial-memory", "hiecoatt", "gqa-baseline"}
    networks = {name for name in MODELS if isinstance(MODELS.load(name), Network)}
    assert networks == counted | shown


def test_sizes_of_attention_models() -> None:
    """Spatial memory, co-attention and GQA's CNN + LSTM, layer by layer."""
    sizes = Sizes(words=101, picture=2048, rows=49, answers=1000)
    memory = 100 * 512 + affine(512, 512) + 3 * affine(2048, 512) + affine(512, 1000)
    assert count("spatial-memory", sizes) == memory
    square = affine(512, 512)
    level = 3 * square + 2 * 512 * 512 + 3 * affine(512, 1)
    phrases = sum(512 * 512 * size + 512 for size in (1, 2, 3))
    encoded = square + affine(1024, 512) + affine(1024, 1024)
    both = 100 * 512 + phrases + lstm(512, 512) + affine(2048, 512) + 3 * level + encoded + affine(1024, 1000)
    assert count("hiecoatt", sizes, attention="alternating") == both
    stem = 2048 * 512 * 9 + 512
    words = 100 * 300 + lstm(300, 256, 2)
    whole = words + stem + affine(512, 64) + affine(512 + 64 * 49, 512) + affine(512, 1000)
    assert count("gqa-baseline", sizes) == whole
