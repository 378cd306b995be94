// @ts-check
/** The shelf: everything that can be put into the picture, in four tabs of pages; click or drag. */

import { html, icon } from "../editor/dom.js";
import { follow } from "../editor/gesture.js";
import { ICONS } from "../editor/icons.js";
import { roving } from "../editor/roving.js";
import { INSTANCES } from "./clips.js";
import { PLAIN, frameOf, thumbnail } from "./thumbnails.js";

/** @import {Kind} from "./types.js" */
/** @import {SceneEditor} from "./editor.js" */

const PAGE = 12;
/** @type {[Kind, string][]} */
const TABS = [
  ["human", "People"],
  ["animal", "Animals"],
  ["largeObject", "Large"],
  ["smallObject", "Small"],
];

export class Shelf {
  /** @param {SceneEditor} editor */
  constructor(editor) {
    this.editor = editor;
    /** @type {Kind} */
    this.kind = "human";
    /** @type {Record<string, number>} */
    this.pages = {};
    this.shown = "";
    this.tabs = html(
      "div",
      { class: "tabs", role: "tablist", "aria-label": "What to put into the picture" },
      ...TABS.map(([kind, label]) =>
        html("button", { type: "button", role: "tab", id: `shelf-${kind}`, "data-kind": kind, "aria-controls": "shelf-panel", onclick: () => this.open(kind) }, label),
      ),
    );
    this.pieces = html("div", { class: "pieces", role: "group" });
    this.place = html("span", { class: "place" });
    this.previous = this.turner("previous", -1);
    this.next = this.turner("next", 1);
    this.turners = html("div", { class: "turners" }, this.previous, this.place, this.next);
    this.panel = html("div", { id: "shelf-panel", role: "tabpanel" }, this.pieces, this.turners);
    this.element = html("section", { class: "shelf", "aria-label": "Shelf" }, this.tabs, this.panel);
    this.keepTab = roving(this.tabs, "[role=tab]", { follow: true });
    this.keepPiece = roving(this.pieces, "button");
  }

  /**
   * @param {"previous" | "next"} which
   * @param {number} way
   */
  turner(which, way) {
    const label = which === "next" ? "Next page" : "Previous page";
    return html("button", { type: "button", class: "plain", "aria-label": label, onclick: () => this.turn(way) }, icon(ICONS[which]));
  }

  /** @param {Kind} kind */
  open(kind) {
    this.kind = kind;
    this.render();
  }

  /** @param {number} way */
  turn(way) {
    this.pages[this.kind] = this.page + way;
    this.render();
    this.editor.live.say(`Page ${this.page + 1} of ${this.count}.`);
  }

  get names() {
    const { offered } = this.editor;
    return offered.filter((name) => this.editor.art.atlas.pieces[name].kind === this.kind);
  }

  get count() {
    return Math.max(1, Math.ceil(this.names.length / PAGE));
  }

  get page() {
    return Math.min(this.count - 1, Math.max(0, this.pages[this.kind] ?? 0));
  }

  /** Draw the open tab's page, unless it is there already. */
  render() {
    const names = this.names.slice(this.page * PAGE, (this.page + 1) * PAGE);
    const shown = `${this.kind} ${this.page} ${names.join(" ")}`;
    if (shown === this.shown) return;
    this.shown = shown;
    for (const tab of this.tabs.children) tab.setAttribute("aria-selected", String(tab.getAttribute("data-kind") === this.kind));
    this.keepTab();
    this.panel.setAttribute("aria-labelledby", `shelf-${this.kind}`);
    this.place.textContent = `${this.page + 1} of ${this.count}`;
    this.turners.toggleAttribute("hidden", this.count === 1);
    this.previous.disabled = this.page === 0;
    this.next.disabled = this.page === this.count - 1;
    this.pieces.setAttribute("aria-label", TABS.find(([kind]) => kind === this.kind)?.[1] ?? "");
    const nothing = html("p", { class: "hint" }, "Nothing of this kind is offered here.");
    this.pieces.replaceChildren(...(names.length ? names.map((name) => this.button(name)) : [nothing]));
    this.keepPiece();
  }

  /** @param {string} name */
  button(name) {
    const { art } = this.editor;
    const { label } = art.atlas.pieces[name];
    const button = html(
      "button",
      { type: "button", class: "piece", "data-name": name, "aria-label": label, title: label },
      html("span", { class: "label", "aria-hidden": "true" }, label),
    );
    button.addEventListener("click", (event) => void this.editor.add(name, undefined, event.detail === 0 ? button : null));
    button.addEventListener("pointerdown", (event) => this.press(event, name));
    art.load(name).then(
      (stencil) => button.prepend(thumbnail(stencil, PLAIN, art.atlas)),
      () => button.classList.add("lost"),
    );
    return button;
  }

  /**
   * Fingers scroll the page here; they put things in by a tap.
   * @param {PointerEvent} pressed
   * @param {string} name
   */
  press(pressed, name) {
    const { editor } = this;
    const stencil = editor.art.here.get(name);
    if (pressed.button !== 0 || pressed.pointerType === "touch" || !stencil) return;
    const ghost = html("div", { class: "ghost", "aria-hidden": "true" }, thumbnail(stencil, PLAIN, editor.art.atlas));
    const [left, top, wide, high] = frameOf(stencil, PLAIN);
    const scale = editor.art.atlas.backgrounds[editor.scene.background].scales[1] / editor.stage.grain;
    ghost.style.width = `${wide * scale}px`;
    ghost.style.height = `${high * scale}px`;
    follow(pressed, {
      start: () => {
        if (editor.isFull(name)) return false;
        document.body.append(ghost);
        return true;
      },
      move: ({ clientX, clientY }) => {
        ghost.style.transform = `translate(${clientX + left * scale}px, ${clientY + top * scale}px)`;
        editor.stage.element.classList.toggle("welcoming", editor.stage.holds({ clientX, clientY }));
      },
      end: (event) => {
        this.drop(ghost);
        if (editor.stage.holds(event)) void editor.add(name, editor.stage.at(event), null);
      },
      cancel: () => this.drop(ghost),
    });
  }

  /** @param {HTMLElement} ghost */
  drop(ghost) {
    ghost.remove();
    this.editor.stage.element.classList.remove("welcoming");
  }

  focus() {
    /** @type {HTMLElement | null} */ (this.pieces.querySelector("[tabindex='0']"))?.focus();
  }
}

/**
 * Why no more of a piece can be put in.
 * @param {string} label
 */
export function fullText(label) {
  return `There are ${INSTANCES} of ${label} in the picture already; more are not possible.`;
}
