// @ts-check
/** A field that suggests words while one types; other words may be written, too. */

import { html } from "./dom.js";

const PAUSE = 120; // milliseconds
let count = 0;

/**
 * @typedef {object} Suggesting
 * @property {string} url answers ?kind=&q=&about= with a list of words
 * @property {"object" | "attribute" | "relation"} kind
 * @property {string} label
 * @property {string} [value]
 * @property {string} [placeholder]
 * @property {string} [focus] by which the field is found again when it is drawn anew
 * @property {() => string} [about] what the word is said of
 * @property {(word: string, how: "enter" | "leave") => void} said when a word is chosen or written
 */

/**
 * @param {Suggesting} options
 * @returns {HTMLElement}
 */
export function suggestField(options) {
  return new Field(options).element;
}

class Field {
  /** @param {Suggesting} options */
  constructor(options) {
    this.options = options;
    count += 1;
    this.id = `suggest-${count}`;
    this.active = -1;
    this.timer = 0;
    this.asked = 0;
    this.said = options.value ?? "";
    this.input = html("input", {
      ...{ type: "text", role: "combobox", "aria-label": options.label, "aria-expanded": "false" },
      ...{ "aria-controls": this.id, "aria-autocomplete": "list", autocomplete: "off", maxlength: 100 },
      ...{ placeholder: options.placeholder ?? null, "data-focus": options.focus ?? null, spellcheck: "true" },
      onkeydown: (event) => this.key(event),
      oninput: () => this.later(),
      onblur: () => this.leave(),
    });
    this.input.value = this.said;
    this.list = html("ul", { id: this.id, role: "listbox", "aria-label": `${options.label}: suggestions`, hidden: true });
    this.element = html("span", { class: "suggest" }, this.input, this.list);
  }

  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.ask(), PAUSE);
  }

  async ask() {
    const q = this.input.value.trim();
    if (!q) return this.close();
    this.asked += 1;
    const asked = this.asked;
    const { url, kind, about } = this.options;
    const query = new URLSearchParams({ kind, q, ...(about?.() ? { about: about() } : {}) });
    const words = await fetch(`${url}?${query}`).then(
      (answer) => (answer.ok ? answer.json() : []),
      () => [],
    );
    if (asked === this.asked && document.activeElement === this.input) this.open(words);
  }

  /** @param {string[]} words */
  open(words) {
    this.active = -1;
    this.list.replaceChildren(
      ...words.map((word, place) =>
        html(
          "li",
          {
            ...{ role: "option", id: `${this.id}-${place}`, "aria-selected": "false" },
            onpointerdown: (event) => {
              event.preventDefault();
              this.say(word, "enter");
            },
          },
          word,
        ),
      ),
    );
    this.show(words.length > 0);
  }

  /** @param {boolean} shown */
  show(shown) {
    this.list.hidden = !shown;
    this.input.setAttribute("aria-expanded", String(shown));
    if (!shown) this.input.removeAttribute("aria-activedescendant");
  }

  close() {
    clearTimeout(this.timer);
    this.asked += 1;
    this.show(false);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const options = [...this.list.children];
    const open = !this.list.hidden;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (!open) return void this.ask();
      const way = event.key === "ArrowDown" ? 1 : -1;
      this.mark(options, (this.active + way + options.length + (this.active < 0 && way < 0 ? 1 : 0)) % options.length);
    } else if (event.key === "Enter") {
      this.say(open && this.active >= 0 ? (options[this.active].textContent ?? "") : this.input.value, "enter");
    } else if (event.key === "Escape" && open) {
      this.close();
      event.stopPropagation();
    } else return;
    event.preventDefault();
  }

  /**
   * @param {Element[]} options
   * @param {number} place
   */
  mark(options, place) {
    this.active = place;
    options.forEach((option, number) => option.setAttribute("aria-selected", String(number === place)));
    this.input.setAttribute("aria-activedescendant", options[place]?.id ?? "");
    options[place]?.scrollIntoView({ block: "nearest" });
  }

  leave() {
    this.close();
    if (this.input.value.trim() !== this.said) this.say(this.input.value, "leave");
  }

  /**
   * @param {string} text
   * @param {"enter" | "leave"} how
   */
  say(text, how) {
    const word = text.trim().replace(/\s+/g, " ");
    this.close();
    this.said = word;
    this.input.value = word;
    this.options.said(word, how);
  }
}
