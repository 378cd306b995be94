// @ts-check
/** The things of a picture in a list; the one that is chosen shows what is said of it. */

import { html, icon } from "../editor/dom.js";
import { ICONS } from "../editor/icons.js";
import { suggestField } from "../editor/suggest.js";

/** @import {Thing} from "./model.js" */
/** @import {GraphEditor} from "./editor.js" */

const COLORS = 7;
/** @type {[("x" | "y" | "w" | "h"), string][]} */
const SIZES = [["x", "Left"], ["y", "Top"], ["w", "Width"], ["h", "Height"]];

export class Panel {
  /** @param {GraphEditor} editor */
  constructor(editor) {
    this.editor = editor;
    this.element = html("section", { class: "things-list", "aria-label": "Things in the picture" });
    this.opened = false;
  }

  focus() {
    this.focusOn(this.editor.selected ? "name" : "new");
  }

  /** @param {string} name */
  focusOn(name) {
    /** @type {HTMLElement | null} */ (this.element.querySelector(`[data-focus="${CSS.escape(name)}"]`))?.focus();
  }

  /** Draw anew; what had the focus has it again. */
  render() {
    const { graph, selected } = this.editor;
    const focused = this.element.contains(document.activeElement) ? document.activeElement?.getAttribute("data-focus") : null;
    const add = html(
      "button",
      { type: "button", class: "new-box", "data-focus": "new", onclick: () => this.editor.addInTheMiddle() },
      ...[icon(ICONS.plus), "New box"],
    );
    const empty = html("p", { class: "hint" }, "Drag over a thing in the picture to draw a box around it, then say what it is.");
    this.element.replaceChildren(
      html("div", { class: "bar" }, html("h2", {}, `Things (${graph.things.length})`), add),
      ...(graph.things.length ? [] : [empty]),
      ...graph.things.map((thing) => (thing.id === selected ? this.card(thing) : this.row(thing))),
    );
    if (focused) this.focusOn(focused);
  }

  /** @param {Thing} thing */
  color(thing) {
    const place = this.editor.graph.things.indexOf(thing) % COLORS;
    return html("span", { class: `number color-${place + 1}`, "aria-hidden": "true" }, thing.id);
  }

  /** @param {Thing} thing */
  row(thing) {
    const { editor } = this;
    const label = editor.describe(thing);
    const said = [...thing.attributes, ...editor.relationsOf(thing.id).map((relation) => editor.sentence(relation))];
    return html(
      "button",
      { type: "button", class: "row", "data-focus": `row ${thing.id}`, "aria-label": label, onclick: () => editor.open(thing.id) },
      this.color(thing),
      html("span", { class: "named" }, thing.name || "no name yet"),
      html("span", { class: "sayings" }, said.join(" · ")),
    );
  }

  /** @param {Thing} thing */
  card(thing) {
    const { editor } = this;
    const name = suggestField({
      ...{ url: editor.suggestUrl, kind: "object", label: "Name", placeholder: "What is it?", value: thing.name, focus: "name" },
      said: (word, how) => editor.name(thing.id, word, how === "enter"),
    });
    const remove = html(
      "button",
      {
        ...{ type: "button", class: "plain", "data-focus": "remove", "aria-label": `Remove ${editor.labelOf(thing)}` },
        ...{ title: "Remove (Delete)", onclick: () => editor.remove(thing.id) },
      },
      icon(ICONS.remove),
    );
    return html(
      "div",
      { class: "card", role: "group", "aria-label": editor.labelOf(thing) },
      html("div", { class: "line-of-name" }, this.color(thing), name, remove),
      this.attributes(thing),
      this.relations(thing),
      this.sizes(thing),
    );
  }

  /** @param {Thing} thing */
  attributes(thing) {
    const { editor } = this;
    const chips = thing.attributes.map((attribute) => this.chip(attribute, () => editor.unsay(thing.id, attribute)));
    const field = suggestField({
      ...{ url: editor.suggestUrl, kind: "attribute", label: "Attribute", placeholder: "red, wooden, asleep …", focus: "attribute" },
      about: () => thing.name,
      said: (word) => editor.say(thing.id, word),
    });
    return html("div", { class: "said-of" }, html("h3", {}, "It is"), html("div", { class: "chips" }, ...chips, field));
  }

  /**
   * @param {string} text
   * @param {() => void} remove
   */
  chip(text, remove) {
    const attributes = { type: "button", class: "plain", "aria-label": `Remove: ${text}`, "data-focus": `chip ${text}`, onclick: remove };
    return html("span", { class: "chip" }, text, html("button", attributes, icon(ICONS.remove)));
  }

  /** @param {Thing} thing */
  relations(thing) {
    const { editor } = this;
    const chips = editor.relationsOf(thing.id).map((relation) => this.chip(editor.sentence(relation), () => editor.unrelate(relation)));
    const others = editor.graph.things.filter(({ id }) => id !== thing.id);
    const hint = html("p", { class: "hint" }, "Draw another box to say how this thing relates to it.");
    const adding = others.length ? this.adding(thing, others) : hint;
    return html("div", { class: "said-of" }, html("h3", {}, "How it relates"), html("div", { class: "chips" }, ...chips), adding);
  }

  /**
   * @param {Thing} thing
   * @param {Thing[]} others
   */
  adding(thing, others) {
    const { editor } = this;
    const draft = editor.relating;
    const target = others.find(({ id }) => id === draft.object) ?? others[others.length - 1];
    const select = html(
      "select",
      { "aria-label": "To which thing", "data-focus": "target", onchange: () => (draft.object = select.value) },
      ...others.map((other) => html("option", { value: other.id, selected: other === target }, editor.labelOf(other))),
    );
    const add = () => {
      if (draft.predicate) editor.relate({ subject: thing.id, predicate: draft.predicate, object: select.value });
      else editor.live.say("Say how they relate: on, holding, to the left of.");
    };
    const predicate = suggestField({
      ...{ url: editor.suggestUrl, kind: "relation", label: "Relation", placeholder: "on, holding …", value: draft.predicate, focus: "relation" },
      said: (word, how) => {
        draft.predicate = word;
        if (how === "enter" && word) /** @type {HTMLElement} */ (select).focus();
      },
    });
    const button = html("button", { type: "button", "data-focus": "relate", onclick: add }, "Add");
    return html("div", { class: "relating" }, html("span", {}, thing.name || "it"), predicate, select, button);
  }

  /** @param {Thing} thing */
  sizes(thing) {
    const fields = SIZES.map(([side, label]) => {
      const input = html("input", {
        ...{ type: "number", min: 0, "data-focus": `size ${side}`, value: thing.box[side] },
        onchange: () => this.editor.place(thing.id, { ...thing.box, [side]: Number(input.value) }),
      });
      return html("label", {}, label, input);
    });
    const details = html("details", { class: "sizes", open: this.opened }, html("summary", { "data-focus": "sizes" }, "Place and size"), html("div", {}, ...fields));
    details.addEventListener("toggle", () => (this.opened = details.open));
    return details;
  }
}
