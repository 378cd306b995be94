"""``eyechart formats``: what can be imported and exported."""

from eyechart.cli.options import Speech
from eyechart.cli.printing import columns, print_json
from eyechart.formats import FORMATS, Format

__all__ = ["formats"]


def formats(name: str | None = None, /, *, speech: Speech = Speech()) -> None:  # frozen
    """List the foreign formats, their files, and what each needs.

    Parameters
    ----------
    name
        Only this format.
    """
    chosen = [FORMATS.load(each) for each in ([name] if name else FORMATS)]
    if speech.json:
        print_json([_facts(each) for each in chosen])
        return
    for each in chosen:
        print(f"{each.name}: {each.title}")
        roles = [(f"  {role}", layout.container.suffix, layout.about) for role, layout in each.layouts.items()]
        print(columns(roles))
        print(f"  {each.notes}\n" if each.notes else "")


def _facts(described: Format) -> dict[str, object]:
    files = {role: layout.about for role, layout in described.layouts.items()}
    return {"name": described.name, "title": described.title, "files": files, "notes": described.notes}
