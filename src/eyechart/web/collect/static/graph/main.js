// @ts-check
/** Opens the scene-graph editor wherever a page has one. */

import { html } from "../editor/dom.js";
import { GraphEditor } from "./editor.js";

for (const root of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-editor=graph]"))) {
  GraphEditor.open(root).catch((error) => {
    console.error(error);
    const text = "The pictures could not be loaded. Load the page again; what you wrote is kept.";
    root.append(html("p", { class: "refusal", role: "alert" }, text));
  });
}
