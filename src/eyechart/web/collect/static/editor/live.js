// @ts-check
/** The line that says what happened, to everybody: it is seen, and screen readers read it. */

import { html } from "./dom.js";

export class Live {
  constructor() {
    this.element = html("p", { class: "said", role: "status", "aria-live": "polite" });
  }

  /** @param {string} text */
  say(text) {
    // The same sentence twice is news, too: a reader only reads what changes.
    const sentence = text.charAt(0).toUpperCase() + text.slice(1);
    this.element.textContent = this.element.textContent === sentence ? `${sentence}\u00a0` : sentence;
  }
}
