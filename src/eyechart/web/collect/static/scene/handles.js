// @ts-check
/** A handle for each limb of the person that is chosen: drag it, or turn it with the arrow keys. */

import { svg } from "../editor/dom.js";
import { follow } from "../editor/gesture.js";
import { FIGURE, aimed, bent, find, holds, turnsOf } from "./clips.js";
import { scaleOf } from "./render.js";

/** @import {Clip, Point, Scene, Stencil} from "./types.js" */
/** @import {SceneEditor} from "./editor.js" */
/** @import {Stage} from "./stage.js" */

export const DEGREE = Math.PI / 180;
const TARGET = 12; // radius on the screen of what can be hit
const DOT = 5.5;
const LEAST = 170; // pixels on the screen that somebody must be high so that handles do not lie upon each other
const STEPS = { ArrowRight: 5, ArrowLeft: -5 };
const NEIGHBOURS = { ArrowDown: 1, ArrowUp: -1, PageDown: 1, PageUp: -1 };

export class Handles {
  /**
   * @param {SceneEditor} editor
   * @param {Stage} stage
   */
  constructor(editor, stage) {
    this.editor = editor;
    this.stage = stage;
    this.element = svg("g", { class: "handles", role: "group", "aria-label": "Limbs" });
    /** @type {SVGGElement[]} */
    this.knobs = [];
    this.person = "";
    this.limb = 0;
    this.element.addEventListener("pointerdown", (event) => this.press(event));
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("focusin", (event) => {
      this.limb = Math.max(0, this.knobs.indexOf(/** @type {SVGGElement} */ (event.target)));
      this.knobs.forEach((knob, place) => knob.setAttribute("tabindex", place === this.limb ? "0" : "-1"));
    });
  }

  /** Go to the limbs, nearer if the person is too small for handles. */
  enter() {
    if (!this.knobs.length) this.editor.inspector.open("limbs");
    this.focus();
  }

  focus() {
    this.knobs[this.limb]?.focus({ preventScroll: true });
  }

  /**
   * @param {Scene} scene
   * @param {Clip | undefined} clip
   */
  render(scene, clip) {
    const stencil = clip && this.editor.art.get(clip.name);
    const high = clip ? (FIGURE * scaleOf(clip, scene, this.editor.art.atlas)) / this.stage.grain : 0;
    if (!clip || !stencil?.bones || high < LEAST) {
      this.person = "";
      this.knobs = [];
      return this.element.replaceChildren();
    }
    if (this.person !== this.editor.selected) this.build(stencil, this.editor.selected ?? "");
    const turns = turnsOf(clip, stencil);
    holds(clip, stencil).forEach(({ pivot, end }, limb) => {
      this.place(limb, this.inScene(clip, scene, pivot), this.inScene(clip, scene, end));
      const degrees = Math.round(turns[limb] / DEGREE);
      this.knobs[limb].setAttribute("aria-valuenow", String(degrees));
      this.knobs[limb].setAttribute("aria-valuetext", `${degrees} degrees`);
    });
  }

  /**
   * @param {Stencil} stencil
   * @param {string} key
   */
  build(stencil, key) {
    this.person = key;
    this.limb = Math.max(0, stencil.limbs.indexOf("left upper arm"));
    this.knobs = (stencil.bones ?? []).map((bone, place) =>
      svg(
        "g",
        {
          class: bone.name.startsWith("right ") ? "limb far" : "limb",
          role: "slider",
          tabindex: place === this.limb ? "0" : "-1",
          "aria-label": bone.name,
          "aria-valuemin": Math.ceil(bone.low / DEGREE),
          "aria-valuemax": Math.floor(bone.high / DEGREE),
        },
        svg("line"),
        svg("circle", { class: "target" }),
        svg("circle", { class: "dot" }),
        svg("title", {}, bone.name),
      ),
    );
    this.element.replaceChildren(...this.knobs);
  }

  /**
   * @param {Clip} clip
   * @param {Scene} scene
   * @param {Point} point
   * @returns {Point}
   */
  inScene(clip, scene, [x, y]) {
    const scale = scaleOf(clip, scene, this.editor.art.atlas);
    return [clip.x + (clip.flip ? -x : x) * scale, clip.y + y * scale];
  }

  /**
   * @param {number} limb
   * @param {Point} pivot
   * @param {Point} end
   */
  place(limb, pivot, end) {
    const [line, target, dot] = this.knobs[limb].children;
    const { grain } = this.stage;
    const ends = { x1: pivot[0], y1: pivot[1], x2: end[0], y2: end[1] };
    for (const [name, value] of Object.entries(ends)) line.setAttribute(name, String(value));
    for (const [circle, radius] of /** @type {[Element, number][]} */ ([[target, TARGET], [dot, DOT]])) {
      circle.setAttribute("cx", String(end[0]));
      circle.setAttribute("cy", String(end[1]));
      circle.setAttribute("r", String(radius * grain));
    }
  }

  /** @param {PointerEvent} event */
  press(event) {
    const { editor } = this;
    const key = editor.selected;
    const clip = find(editor.scene, key);
    if (event.button !== 0 || !key || !clip) return;
    event.stopPropagation();
    event.preventDefault();
    const limb = this.nearest(event);
    const person = editor.art.get(clip.name);
    this.limb = limb;
    this.focus();
    let now = editor.scene;
    follow(event, {
      move: (moved) => {
        const angle = aimed(/** @type {Clip} */ (find(now, key)), person, limb, this.local(clip, moved));
        now = bent(now, key, limb, angle, person);
        editor.preview(now);
      },
      end: () => editor.bend(key, limb, turnsOf(/** @type {Clip} */ (find(now, key)), person)[limb]),
      cancel: () => editor.render(),
    });
  }

  /**
   * Handles may lie over each other: the one whose middle is nearest is meant.
   * @param {PointerEvent} event
   */
  nearest(event) {
    const far = this.knobs.map((knob) => {
      const { left, right, top, bottom } = knob.children[2].getBoundingClientRect();
      return Math.hypot(event.clientX - (left + right) / 2, event.clientY - (top + bottom) / 2);
    });
    return far.indexOf(Math.min(...far));
  }

  /**
   * A place on the screen as the person sees it, from its origin.
   * @param {Clip} clip
   * @param {PointerEvent} event
   * @returns {Point}
   */
  local(clip, event) {
    const [x, y] = this.stage.at(event);
    const scale = scaleOf(clip, this.editor.scene, this.editor.art.atlas);
    return [((clip.flip ? -1 : 1) * (x - clip.x)) / scale, (y - clip.y) / scale];
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { editor } = this;
    const clip = find(editor.scene, editor.selected);
    if (!clip || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[/** @type {keyof typeof STEPS} */ (event.key)];
    const neighbour = NEIGHBOURS[/** @type {keyof typeof NEIGHBOURS} */ (event.key)];
    if (step) editor.turn(this.limb, step * (event.shiftKey ? 3 : 1) * (clip.flip ? -1 : 1));
    else if (neighbour) this.knobs[(this.limb + neighbour + this.knobs.length) % this.knobs.length].focus();
    else if (event.key === "Escape" || event.key === "Enter") this.stage.focus(editor.selected);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
