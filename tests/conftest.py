"""What all tests share: where the real samples are."""

from pathlib import Path

import pytest

SAMPLES = Path(__file__).parents[2] / "shared" / "data"


@pytest.fixture
def real_data() -> Path:
    """The folder of real samples beside the checkout; a test that needs it is skipped where it is absent."""
    if not SAMPLES.is_dir():
        pytest.skip("no real samples beside the checkout (../shared/data)")
    return SAMPLES
