"""The documentation as a site: make site. Nothing in it asks another server for anything."""

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from pygments.lexers.data import JsonLexer
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

project = "Eyechart"
copyright = "the Eyechart developers"  # noqa: A001  # the name that Sphinx reads
html_title = "Eyechart"

extensions = ["myst_parser"]
exclude_patterns = ["_build"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
myst_heading_slug_func = "docutils.nodes.make_id"
html_math_renderer = "mathml"

html_theme = "furo"
html_logo = html_favicon = "pictures/logo.svg"
html_static_path = ["pictures/site.css"]
html_css_files = ["site.css"]
html_copy_source = html_show_sphinx = False
_SHARED = {
    "font-stack": "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif",
}
html_theme_options = {
    "light_css_variables": {
        **_SHARED,
        "color-brand-primary": "#1b1f24",
        "color-brand-content": "#1f6f8b",
        "color-brand-visited": "#1f6f8b",
        "color-background-primary": "#fbfaf7",
        "color-background-secondary": "#f4f2ec",
        "color-foreground-primary": "#1b1f24",
        "color-foreground-secondary": "#5b636c",
        "color-foreground-muted": "#5b636c",
    },
    "dark_css_variables": {
        "color-brand-primary": "#e8e6e1",
        "color-brand-content": "#5fb0cc",
        "color-brand-visited": "#5fb0cc",
        "color-background-primary": "#14171a",
        "color-background-secondary": "#191d21",
        "color-foreground-primary": "#e8e6e1",
        "color-foreground-secondary": "#a2a9b1",
        "color-foreground-muted": "#a2a9b1",
    },
}


def setup(app: Sphinx) -> None:
    """Lines of JSON are coloured as JSON; browsers draw formulas themselves, without a script from elsewhere."""
    app.add_lexer("jsonl", JsonLexer)
    app.add_html_math_renderer("mathml", inline_renderers=(_formula, None), block_renderers=(_formula, None))


def _formula(translator: HTML5Translator, node: nodes.Element) -> None:
    block = isinstance(node, nodes.math_block)
    translator.body.append(tex2mathml(node.astext(), as_block=block))
    raise nodes.SkipNode
