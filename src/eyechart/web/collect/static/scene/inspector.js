// @ts-check
/** What can be changed about the thing that is chosen: one strip of choices at a time. */

import { html, icon, svg } from "../editor/dom.js";
import { ICONS } from "../editor/icons.js";
import { roving } from "../editor/roving.js";
import { keyOf, turnsOf } from "./clips.js";
import { DEGREE } from "./handles.js";
import { PLAIN, thumbnail } from "./thumbnails.js";

/** @import {Clip, Stencil} from "./types.js" */
/** @import {SceneEditor} from "./editor.js" */
/** @typedef {{label: string, chosen: boolean, drawing: Element, choose: () => void}} Choice */

/** @type {Record<string, [string, string][]>} */
const STRIPS = {
  human: [["face", "Face"], ["pose", "Pose"], ["clothes", "Clothes"], ["colors", "Colours"], ["limbs", "Limbs"]],
  animal: [["pose", "Pose"], ["colors", "Colours"]],
  largeObject: [["type", "Type"], ["colors", "Colours"]],
  smallObject: [["type", "Type"], ["colors", "Colours"]],
};

export class Inspector {
  /** @param {SceneEditor} editor */
  constructor(editor) {
    this.editor = editor;
    this.strip = "face";
    this.element = html("section", { class: "inspector", "aria-label": "What is chosen" });
  }

  focus() {
    /** @type {HTMLElement | null} */ (this.element.querySelector("[role=tab][tabindex='0']"))?.focus();
  }

  /** @param {Clip | undefined} clip */
  render(clip) {
    const focused = this.element.contains(document.activeElement)
      ? document.activeElement?.getAttribute("data-focus")
      : null;
    if (clip && focused?.startsWith("limb") && this.values(clip)) return;
    this.element.replaceChildren(...(clip ? this.build(clip) : [this.hint()]));
    if (focused) /** @type {HTMLElement | null} */ (this.element.querySelector(`[data-focus="${CSS.escape(focused)}"]`))?.focus();
  }

  hint() {
    const text = this.editor.scene.clips.length
      ? "Choose something in the picture to change it. Drag it out of the picture to take it away."
      : "Nothing is in the picture yet. Click something on the shelf, or drag it into the picture.";
    return html("p", { class: "hint" }, text);
  }

  /**
   * @param {Clip} clip
   * @returns {HTMLElement[]}
   */
  build(clip) {
    const stencil = this.editor.art.get(clip.name);
    const strips = STRIPS[stencil.kind];
    if (!strips.some(([id]) => id === this.strip)) this.strip = strips[0][0];
    const tabs = html(
      "div",
      { class: "tabs", role: "tablist", "aria-label": "What to change" },
      ...strips.map(([id, label]) => this.tab(id, label)),
    );
    roving(tabs, "[role=tab]", { follow: true });
    const panel = html("div", { class: "strip", id: "strip-panel", role: "tabpanel", "aria-labelledby": `strip-${this.strip}` }, ...this.contents(clip, stencil));
    return [this.toolbar(clip, stencil), tabs, panel];
  }

  /**
   * @param {string} id
   * @param {string} label
   */
  tab(id, label) {
    return html(
      "button",
      {
        ...{ type: "button", role: "tab", id: `strip-${id}`, "data-focus": `tab ${id}`, "aria-controls": "strip-panel" },
        "aria-selected": String(id === this.strip),
        onclick: () => this.open(id),
      },
      label,
    );
  }

  /** @param {string} strip */
  open(strip) {
    this.strip = strip;
    this.editor.stage.render(this.editor.scene);
    this.render(this.editor.chosen);
  }

  /**
   * @param {Clip} clip
   * @param {Stencil} stencil
   */
  toolbar(clip, stencil) {
    const { editor } = this;
    const key = keyOf(clip);
    const last = editor.art.atlas.depths - 1;
    const bar = html(
      "div",
      { class: "toolbar", role: "toolbar", "aria-label": `Change the ${editor.labelOf(clip)}` },
      html("h2", {}, editor.labelOf(clip)),
      this.tool("bigger", "Bigger, nearer", "+", clip.depth > 0, () => editor.resize(key, -1)),
      this.tool("smaller", "Smaller, farther", "−", clip.depth < last, () => editor.resize(key, 1)),
      this.tool("flip", "Turn around", "F", stencil.flips !== false, () => editor.flip(key)),
      this.tool("forward", "Before what it touches", "]", true, () => editor.reorder(key, 1)),
      this.tool("back", "Behind what it touches", "[", true, () => editor.reorder(key, -1)),
      this.tool("remove", "Take out", "Delete", true, () => editor.remove(key)),
    );
    roving(bar, "button");
    return bar;
  }

  /**
   * @param {keyof typeof ICONS} name
   * @param {string} label
   * @param {string} shortcut
   * @param {boolean} possible
   * @param {() => void} action
   */
  tool(name, label, shortcut, possible, action) {
    return html(
      "button",
      {
        ...{ type: "button", class: "plain", "data-focus": `tool ${name}`, "aria-label": label, title: `${label} (${shortcut})` },
        "aria-disabled": possible ? null : "true",
        onclick: () => possible && action(),
      },
      icon(ICONS[name]),
    );
  }

  /**
   * @param {Clip} clip
   * @param {Stencil} stencil
   * @returns {HTMLElement[]}
   */
  contents(clip, stencil) {
    if (this.strip === "limbs") return [this.limbs(clip, stencil)];
    if (this.strip === "colors") return this.colors(clip, stencil);
    const choices = this.choices(clip, stencil);
    return [this.radios(this.strip, STRIPS[stencil.kind].find(([id]) => id === this.strip)?.[1] ?? "", choices)];
  }

  /**
   * @param {Clip} clip
   * @param {Stencil} stencil
   * @returns {Choice[]}
   */
  choices(clip, stencil) {
    const { editor } = this;
    const { atlas } = editor.art;
    const key = keyOf(clip);
    if (this.strip === "face") {
      const faces = (stencil.expressions ?? []).map((label, expression) => ({
        label,
        chosen: clip.expression === expression,
        drawing: thumbnail(stencil, { ...clip, expression, turns: [] }, atlas, { head: true }),
        choose: () => editor.express(key, expression),
      }));
      return faces.slice(1);
    }
    if (stencil.bones && this.strip === "pose") {
      return Object.entries(stencil.poses ?? {}).map(([label, turns]) => ({
        label,
        chosen: turns.every((turn, limb) => Math.abs(turn - turnsOf(clip, stencil)[limb]) < 1e-6),
        drawing: thumbnail(stencil, { ...clip, turns }, atlas),
        choose: () => editor.pose(key, label),
      }));
    }
    const member = /** @type {"style" | "pose" | "variant"} */ ({ clothes: "style", pose: "pose", type: "variant" }[this.strip]);
    return stencil.forms.map((form, number) => ({
      label: form.name,
      chosen: clip[member] === number,
      drawing: thumbnail(stencil, { ...PLAIN, ...clip, turns: [], [member]: number }, atlas),
      choose: () => editor.reform(key, member, number),
    }));
  }

  /**
   * @param {string} id
   * @param {string} label
   * @param {Choice[]} choices
   */
  radios(id, label, choices) {
    const group = html(
      "div",
      { class: `radios ${id}`, role: "radiogroup", "aria-label": label },
      ...choices.map((choice) =>
        html(
          "button",
          {
            ...{ type: "button", role: "radio", "aria-checked": String(choice.chosen), "data-focus": `${id} ${choice.label}` },
            ...{ "aria-label": choice.label, title: choice.label, onclick: choice.choose },
          },
          choice.drawing,
        ),
      ),
    );
    roving(group, "[role=radio]", { follow: true });
    return group;
  }

  /**
   * @param {Clip} clip
   * @param {Stencil} stencil
   */
  colors(clip, stencil) {
    const { editor } = this;
    const { palette } = editor.art.atlas;
    const form = stencil.forms[stencil.bones ? clip.style : stencil.kind === "animal" ? clip.pose : clip.variant];
    const shown = stencil.slots.map((slot, place) => ({ slot, place })).filter(({ slot }) => form.slots.includes(slot.name) && slot.colors.length > 1);
    if (!shown.length) return [html("p", { class: "hint" }, "It has no other colours.")];
    return shown.map(({ slot, place }) => {
      const now = clip.colors[place] ?? slot.default;
      const swatches = slot.colors.map((color) => ({
        label: color,
        chosen: color === now,
        drawing: svg("svg", { viewBox: "0 0 24 24", class: "swatch", "aria-hidden": "true" }, svg("circle", { cx: 12, cy: 12, r: 10, fill: palette[color] })),
        choose: () => editor.color(keyOf(clip), place, color, slot.name),
      }));
      return html("div", { class: "slot" }, html("span", { "aria-hidden": "true" }, slot.name), this.radios("swatches", slot.name, swatches.map((each) => each)));
    });
  }

  /**
   * @param {Clip} clip
   * @param {Stencil} stencil
   */
  limbs(clip, stencil) {
    const turns = turnsOf(clip, stencil);
    const rows = (stencil.bones ?? []).map((bone, limb) => {
      const input = html("input", {
        ...{ type: "range", id: `limb-${limb}`, "data-focus": `limb ${limb}`, step: 5 },
        ...{ min: Math.ceil(bone.low / DEGREE), max: Math.floor(bone.high / DEGREE) },
        oninput: () => this.editor.bend(keyOf(clip), limb, Number(input.value) * DEGREE, `slide ${limb}`),
      });
      input.value = String(turns[limb] / DEGREE);
      return html("div", { class: "limb-row" }, html("label", { for: `limb-${limb}` }, bone.name), input);
    });
    return html("div", { class: "limbs" }, ...rows);
  }

  /**
   * Only the sliders' values, while one of them is being used.
   * @param {Clip} clip
   */
  values(clip) {
    const inputs = /** @type {NodeListOf<HTMLInputElement>} */ (this.element.querySelectorAll(".limbs input"));
    const turns = turnsOf(clip, this.editor.art.get(clip.name));
    inputs.forEach((input, limb) => {
      if (input !== document.activeElement) input.value = String(turns[limb] / DEGREE);
    });
    return inputs.length === turns.length;
  }
}
