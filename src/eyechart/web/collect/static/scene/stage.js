// @ts-check
/** The picture: things that can be taken hold of, with the pointer or the keyboard. */

import { svg } from "../editor/dom.js";
import { follow } from "../editor/gesture.js";
import { FIGURE, find, keyOf } from "./clips.js";
import { Handles } from "./handles.js";
import { behind, paintersOrder, parts, placeOf, scaleOf } from "./render.js";

/** @import {Clip, Point, Scene} from "./types.js" */
/** @import {SceneEditor} from "./editor.js" */

const STEP = 2;
const FAR = 20;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Stage {
  /** @param {SceneEditor} editor */
  constructor(editor) {
    this.editor = editor;
    const [width, height] = editor.art.atlas.size;
    const { style } = editor.art.atlas;
    this.ground = svg("g", { class: "ground", "aria-hidden": "true" });
    this.things = svg("g", { class: "things" });
    this.frame = svg("rect", { class: "frame", "aria-hidden": "true" });
    this.handles = new Handles(editor, this);
    this.element = svg(
      "svg",
      { class: "stage", viewBox: `0 0 ${width} ${height}`, role: "application", "aria-label": "The picture" },
      svg("g", style, this.ground, this.things),
      this.frame,
      this.handles.element,
    );
    /** @type {Map<string, {element: SVGGElement, clip: Clip | null, drawing: string}>} */
    this.drawn = new Map();
    this.backdrop = "";
    this.element.addEventListener("pointerdown", (event) => this.press(event));
    this.things.addEventListener("keydown", (event) => this.key(event));
    this.things.addEventListener("focusin", (event) => {
      const key = keyAt(event.target);
      if (key && key !== editor.selected) editor.select(key);
    });
    new ResizeObserver(() => this.mark(editor.scene)).observe(this.element);
  }

  /** Scene pixels in a pixel of the screen. */
  get grain() {
    return 1 / (this.element.getScreenCTM()?.a || 1);
  }

  /**
   * All of the picture, or the person whose limbs are being turned: so their handles are apart on any screen.
   * @param {Scene} scene
   * @returns {[number, number, number, number]} left, top, width, height
   */
  view(scene) {
    const { art, inspector, selected } = this.editor;
    const [width, height] = art.atlas.size;
    const clip = find(scene, selected);
    if (!clip || inspector.strip !== "limbs" || !art.get(clip.name).bones) return [0, 0, width, height];
    const high = Math.min(height, FIGURE * 1.15 * scaleOf(clip, scene, art.atlas));
    const wide = (high * width) / height;
    const [left, top] = [clip.x - wide / 2, clip.y - high / 2];
    return [Math.max(0, Math.min(width - wide, left)), Math.max(0, Math.min(height - high, top)), wide, high];
  }

  /** @param {Scene} scene */
  render(scene) {
    const { art } = this.editor;
    this.element.setAttribute("viewBox", this.view(scene).join(" "));
    const backdrop = parts(behind(scene), art.get(scene.background), art.atlas.palette);
    if (backdrop !== this.backdrop) this.ground.innerHTML = this.backdrop = backdrop;
    const order = paintersOrder(scene.clips).map((place) => scene.clips[place]);
    const elements = order.map((clip) => this.thing(clip, scene));
    for (const key of [...this.drawn.keys()]) if (!find(scene, key)) this.drawn.delete(key);
    this.arrange(elements);
    this.mark(scene);
  }

  /**
   * @param {Clip} clip
   * @param {Scene} scene
   */
  thing(clip, scene) {
    const { art, selected } = this.editor;
    const key = keyOf(clip);
    const known = this.drawn.get(key) ?? {
      element: svg("g", { class: "thing", "data-key": key, role: "button" }),
      clip: null,
      drawing: "",
    };
    // Things are never changed in place: one that is the same need not be drawn again.
    if (known.clip !== clip) {
      const drawing = parts(clip, art.get(clip.name), art.atlas.palette);
      if (drawing !== known.drawing) known.element.innerHTML = known.drawing = drawing;
      known.element.setAttribute("transform", placeOf(clip, scene, art.atlas));
      known.element.setAttribute("aria-label", this.editor.describe(clip));
      known.clip = clip;
    }
    known.element.setAttribute("aria-pressed", String(key === selected));
    const first = selected ? key === selected : clip === scene.clips[0];
    known.element.setAttribute("tabindex", first ? "0" : "-1");
    this.drawn.set(key, known);
    return known.element;
  }

  /**
   * Elements are only moved if they must be, since an element that moves loses the focus.
   * @param {SVGGElement[]} elements
   */
  arrange(elements) {
    const same =
      elements.length === this.things.children.length &&
      elements.every((element, place) => this.things.children[place] === element);
    if (same) return;
    const focused = document.activeElement;
    this.things.replaceChildren(...elements);
    if (focused instanceof SVGElement && this.things.contains(focused)) focused.focus({ preventScroll: true });
  }

  /**
   * The frame around what is chosen, and its limbs' handles.
   * @param {Scene} scene
   */
  mark(scene) {
    const clip = find(scene, this.editor.selected);
    const element = clip && this.drawn.get(keyOf(clip))?.element;
    this.frame.toggleAttribute("hidden", !element);
    this.handles.render(scene, clip);
    if (!element) return;
    const margin = 5 * this.grain;
    const { x, y, width, height } = element.getBBox();
    const matrix = /** @type {DOMMatrix} */ (element.transform.baseVal.consolidate()?.matrix);
    const left = matrix.a < 0 ? matrix.e + matrix.a * (x + width) : matrix.e + matrix.a * x;
    const scale = matrix.d;
    this.frame.setAttribute("x", String(left - margin));
    this.frame.setAttribute("y", String(matrix.f + scale * y - margin));
    this.frame.setAttribute("width", String(scale * width + 2 * margin));
    this.frame.setAttribute("height", String(scale * height + 2 * margin));
  }

  /**
   * A place on the screen in scene pixels.
   * @param {{clientX: number, clientY: number}} event
   * @returns {Point}
   */
  at({ clientX, clientY }) {
    const matrix = /** @type {DOMMatrix} */ (this.element.getScreenCTM()).inverse();
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix);
    return [x, y];
  }

  /** @param {{clientX: number, clientY: number}} event */
  holds({ clientX, clientY }) {
    const { left, right, top, bottom } = this.element.getBoundingClientRect();
    return clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
  }

  /** @param {string | null} key */
  focus(key) {
    if (key) this.drawn.get(key)?.element.focus({ preventScroll: true });
  }

  /** @param {PointerEvent} event */
  press(event) {
    if (event.button !== 0) return;
    const key = keyAt(event.target);
    const { editor } = this;
    if (!key) return void editor.select(null);
    editor.select(key);
    const clip = /** @type {Clip} */ (find(editor.scene, key));
    const from = this.at(event);
    /** @type {(to: Point) => Point} */
    const goes = (to) => [clip.x + to[0] - from[0], clip.y + to[1] - from[1]];
    follow(event, {
      move: (now) => {
        this.leaving(key, !this.holds(now));
        const [x, y] = goes(this.at(now));
        editor.preview({ ...editor.scene, clips: editor.scene.clips.map((each) => (each === clip ? { ...each, x, y } : each)) });
      },
      end: (now) => {
        this.leaving(key, false);
        if (this.holds(now)) this.editor.move(key, goes(this.at(now)));
        else this.editor.remove(key);
      },
      cancel: () => {
        this.leaving(key, false);
        editor.render();
      },
    });
  }

  /**
   * @param {string} key
   * @param {boolean} leaving
   */
  leaving(key, leaving) {
    this.element.classList.toggle("leaving", leaving);
    this.drawn.get(key)?.element.classList.toggle("leaving", leaving);
    this.editor.root.classList.toggle("removing", leaving);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const key = keyAt(event.target);
    const clip = find(this.editor.scene, key);
    if (!key || !clip || event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROWS[/** @type {keyof typeof ARROWS} */ (event.key)];
    const action = this.actions(key, clip)[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (arrow) this.nudge(key, clip, arrow, event.shiftKey ? FAR : STEP);
    else if (action) action();
    else return;
    event.preventDefault();
  }

  /**
   * @param {string} key
   * @param {Clip} clip
   * @param {number[]} way
   * @param {number} step
   */
  nudge(key, clip, [right, down], step) {
    this.editor.move(key, [clip.x + right * step, clip.y + down * step], `nudge ${key}`);
  }

  /**
   * @param {string} key
   * @param {Clip} clip
   * @returns {Record<string, () => void>}
   */
  actions(key, clip) {
    const { editor } = this;
    return {
      "+": () => editor.resize(key, -1),
      "=": () => editor.resize(key, -1),
      "-": () => editor.resize(key, 1),
      f: () => editor.flip(key),
      "]": () => editor.reorder(key, 1),
      "[": () => editor.reorder(key, -1),
      Delete: () => editor.remove(key),
      Backspace: () => editor.remove(key),
      PageDown: () => this.beside(key, 1),
      PageUp: () => this.beside(key, -1),
      Enter: () => (editor.art.get(clip.name).bones ? this.handles.enter() : editor.inspector.focus()),
      " ": () => editor.inspector.focus(),
      Escape: () => editor.leave(),
    };
  }

  /**
   * To the next thing, in the order in which they were put in.
   * @param {string} key
   * @param {number} way
   */
  beside(key, way) {
    const keys = this.editor.scene.clips.map(keyOf);
    const next = keys[(keys.indexOf(key) + way + keys.length) % keys.length];
    this.editor.select(next);
    this.focus(next);
  }
}

/** @param {EventTarget | null} target */
function keyAt(target) {
  return target instanceof Element ? (target.closest("[data-key]")?.getAttribute("data-key") ?? null) : null;
}
