"""From a wheel, without a network and without Node: every template and every static file is there."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_SERVED = """
import sys
from pathlib import Path
from fastapi.testclient import TestClient
import eyechart
assert eyechart.__file__.startswith(sys.argv[1]), eyechart.__file__
from eyechart.web import Settings, application
app = application(Settings(Path(sys.argv[2]), address="http://testserver"))
with TestClient(app) as client:
    site = app.state.site
    for address in site.statics.files:
        assert client.get(address).status_code == 200, address
    names = site.templates.list_templates()
    for name in names:
        site.templates.get_template(name)
    assert client.get("/").status_code == 200
    print(len(site.statics.files), len(names))
"""


@pytest.mark.slow
def test_the_wheel_has_every_page(tmp_path: Path) -> None:
    """What git holds is what the wheel serves."""
    build = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--no-deps",
        "--no-build-isolation",
        "-q",
        "-w",
        str(tmp_path),
        str(ROOT),
    ]
    made = subprocess.run(build, capture_output=True, text=True, check=False)
    if made.returncode and "hatchling" in made.stderr:
        pytest.skip("hatchling is not installed, and nothing is fetched here")
    assert made.returncode == 0, made.stderr
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    command = [sys.executable, "-c", _SERVED, str(tmp_path / "installed"), str(tmp_path / "site")]
    environment = {"PYTHONPATH": str(tmp_path / "installed"), "PATH": "/usr/bin:/bin"}
    served = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert served.returncode == 0, served.stderr
    files, templates = map(int, served.stdout.split())
    web = ROOT / "src" / "eyechart" / "web"
    assert files == len([path for path in web.rglob("static/**/*") if path.is_file()]) + 1
    assert templates == len([path for path in web.rglob("templates/**/*") if path.is_file()])
