// @ts-check
/** Opens the scene editor wherever a page has one. */

import { html } from "../editor/dom.js";
import { SceneEditor } from "./editor.js";

for (const root of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-editor=scene]"))) {
  SceneEditor.open(root).catch((error) => {
    console.error(error);
    const text = "The drawings could not be loaded. Load the page again; what you made is kept.";
    root.append(html("p", { class: "refusal", role: "alert" }, text));
  });
}
