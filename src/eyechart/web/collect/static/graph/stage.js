// @ts-check
/** The picture with boxes: drawn, moved and resized by the pointer or by keys. */

import { svg } from "../editor/dom.js";
import { follow } from "../editor/gesture.js";
import { LEAST, find, fitted, inside } from "./model.js";

/** @import {Box, Graph, Thing} from "./model.js" */
/** @import {GraphEditor} from "./editor.js" */

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const FAR = 10;
const TARGET = 24; // pixels of the screen that a pointer can hit
const COLORS = 7;
const LONGEST = 22; // letters of a name on a tag
/** Corners and sides by what they move: left, top, right, bottom. */
const GRIPS = /** @type {const} */ ({
  "top left corner": [1, 1, 0, 0],
  "top side": [0, 1, 0, 0],
  "top right corner": [0, 1, 1, 0],
  "right side": [0, 0, 1, 0],
  "bottom right corner": [0, 0, 1, 1],
  "bottom side": [0, 0, 0, 1],
  "bottom left corner": [1, 0, 0, 1],
  "left side": [1, 0, 0, 0],
});
/** @typedef {readonly [number, number, number, number]} Sides */

export class Stage {
  /** @param {GraphEditor} editor */
  constructor(editor) {
    this.editor = editor;
    this.image = svg("image", { "aria-hidden": "true" });
    this.links = svg("g", { class: "links", "aria-hidden": "true" });
    this.boxes = svg("g", { class: "boxes" });
    this.grips = svg("g", { class: "grips", role: "group", "aria-label": "Corners and sides" });
    this.band = svg("rect", { class: "band", hidden: true });
    this.element = svg(
      "svg",
      { class: "stage", role: "application", "aria-label": "The picture and its boxes" },
      ...[this.image, this.boxes, this.links, this.grips, this.band],
    );
    /** @type {Box | null} the box of the chosen thing while it is dragged */
    this.dragged = null;
    this.url = "";
    this.element.addEventListener("pointerdown", (event) => this.press(event));
    this.boxes.addEventListener("keydown", (event) => this.key(event));
    this.grips.addEventListener("keydown", (event) => this.gripKey(event));
    this.boxes.addEventListener("focusin", (event) => {
      const id = idAt(event.target);
      if (id && id !== editor.selected) editor.select(id);
    });
    new ResizeObserver(() => this.render()).observe(this.element);
  }

  /** Pixels of the picture in a pixel of the screen. */
  get grain() {
    return 1 / (this.element.getScreenCTM()?.a || 1);
  }

  render() {
    const { picture, graph, selected } = this.editor;
    if (this.url !== picture.url) {
      this.url = picture.url;
      this.element.setAttribute("viewBox", `0 0 ${picture.width} ${picture.height}`);
      for (const [name, value] of Object.entries({ href: picture.url, width: picture.width, height: picture.height })) {
        this.image.setAttribute(name, String(value));
      }
    }
    const focused = this.boxes.contains(document.activeElement) ? idAt(document.activeElement) : null;
    const gripped = this.grips.contains(document.activeElement) ? document.activeElement?.getAttribute("aria-label") : null;
    // Small boxes lie on top, so that each can be reached.
    const order = [...graph.things].sort((a, b) => b.box.w * b.box.h - a.box.w * a.box.h);
    this.boxes.replaceChildren(...order.map((thing) => this.box(thing, graph)));
    this.drawGrips(find(graph, selected));
    this.drawLinks(graph);
    if (focused) this.focus(focused);
    if (gripped) this.grip(gripped);
  }

  /**
   * @param {Thing} thing
   * @param {Graph} graph
   */
  box(thing, graph) {
    const { editor } = this;
    const chosen = thing.id === editor.selected;
    const { x, y, w, h } = (chosen && this.dragged) || thing.box;
    const first = editor.selected ? chosen : thing === graph.things[0];
    const { grain } = this;
    const size = 13 * grain;
    const name = thing.name.length > LONGEST ? `${thing.name.slice(0, LONGEST)}…` : thing.name || "…";
    const text = `${thing.id} ${name}`;
    const wide = Math.min(Math.max(24 * grain, text.length * size * 0.66 + size * 0.8), editor.picture.width);
    const high = Math.max(size * 1.5, TARGET * 0.8 * grain);
    const top = y >= high ? y - high : y;
    const left = Math.min(x, editor.picture.width - wide);
    const attributes = { class: chosen ? "box chosen" : "box", "data-id": thing.id, role: "button" };
    const color = `color-${(graph.things.indexOf(thing) % COLORS) + 1}`;
    return svg(
      "g",
      { ...attributes, tabindex: first ? 0 : -1, "aria-label": editor.describe(thing), "aria-pressed": String(chosen) },
      svg("rect", { class: `edge ${color}`, x, y, width: w, height: h }),
      svg("rect", { class: "border", x, y, width: w, height: h }),
      svg("rect", { class: `tag ${color}`, x: left, y: top, width: wide, height: high, rx: 3 * grain }),
      svg("text", { x: left + size * 0.35, y: top + high / 2 + size * 0.36, "font-size": size }, text),
    );
  }

  /** @param {Thing | undefined} thing */
  drawGrips(thing) {
    if (!thing) return this.grips.replaceChildren();
    const { x, y, w, h } = this.dragged ?? thing.box;
    const { grain } = this;
    const knobs = Object.entries(GRIPS).map(([label, sides], place) => {
      const [left, top, right, bottom] = sides;
      const cx = left ? x : right ? x + w : x + w / 2;
      const cy = top ? y : bottom ? y + h : y + h / 2;
      const size = 9 * grain;
      const hit = TARGET * grain;
      const square = { class: "knob", x: cx - size / 2, y: cy - size / 2, width: size, height: size };
      const target = { class: "target", x: cx - hit / 2, y: cy - hit / 2, width: hit, height: hit };
      return svg(
        "g",
        { class: "grip", "data-grip": label, role: "button", tabindex: place ? -1 : 0, "aria-label": label },
        svg("rect", target),
        svg("rect", square),
      );
    });
    this.grips.replaceChildren(...knobs);
  }

  /**
   * The relations of what is chosen, from middle to middle.
   * @param {Graph} graph
   */
  drawLinks(graph) {
    const { selected } = this.editor;
    const { grain } = this;
    const size = 13 * grain;
    const shown = graph.relations.filter(({ subject, object }) => subject === selected || object === selected);
    this.links.replaceChildren(
      ...shown.flatMap(({ subject, predicate, object }) => {
        const [from, to] = [find(graph, subject), find(graph, object)];
        if (!from || !to) return [];
        const [a, b] = [middle(from.box), middle(to.box)];
        const at = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
        return [
          svg("line", { x1: a.x, y1: a.y, x2: b.x, y2: b.y }),
          svg("circle", { cx: b.x, cy: b.y, r: 4 * grain }),
          svg("text", { ...at, "font-size": size, "text-anchor": "middle" }, predicate),
        ];
      }),
    );
  }

  /** @param {string} id */
  focus(id) {
    /** @type {SVGElement | null} */ (this.boxes.querySelector(`[data-id="${CSS.escape(id)}"]`))?.focus({ preventScroll: true });
  }

  /** @param {string} [label] */
  grip(label = "top left corner") {
    /** @type {SVGElement | null} */ (this.grips.querySelector(`[data-grip="${label}"]`))?.focus({ preventScroll: true });
  }

  /** @param {{clientX: number, clientY: number}} event */
  at({ clientX, clientY }) {
    const matrix = /** @type {DOMMatrix} */ (this.element.getScreenCTM()).inverse();
    return new DOMPoint(clientX, clientY).matrixTransform(matrix);
  }

  // ------------------------------------------------------------------ pointer

  /** @param {PointerEvent} event */
  press(event) {
    if (event.button !== 0) return;
    const target = /** @type {Element} */ (event.target);
    const thing = find(this.editor.graph, this.editor.selected);
    const grip = target.closest("[data-grip]")?.getAttribute("data-grip");
    const held = target.closest(".border, .tag, text") ? idAt(target) : null;
    if (thing && grip) this.resize(event, thing, GRIPS[/** @type {keyof typeof GRIPS} */ (grip)]);
    else if (held) this.move(event, held);
    else this.draw(event);
  }

  /**
   * @param {PointerEvent} event
   * @param {Thing} thing
   * @param {Sides} sides
   */
  resize(event, thing, sides) {
    event.preventDefault();
    const from = this.at(event);
    this.drag(event, thing, (to) => fitted(stretched(thing.box, sides, to.x - from.x, to.y - from.y), this.editor.picture));
  }

  /**
   * @param {PointerEvent} event
   * @param {string} id
   */
  move(event, id) {
    this.editor.select(id);
    this.focus(id);
    event.preventDefault();
    const thing = /** @type {Thing} */ (find(this.editor.graph, id));
    const from = this.at(event);
    const { x, y } = thing.box;
    this.drag(event, thing, (to) => inside({ ...thing.box, x: x + to.x - from.x, y: y + to.y - from.y }, this.editor.picture));
  }

  /**
   * @param {PointerEvent} event
   * @param {Thing} thing
   * @param {(to: DOMPoint) => Box | null} shape
   */
  drag(event, thing, shape) {
    follow(event, {
      move: (now) => {
        this.dragged = shape(this.at(now)) ?? this.dragged;
        this.render();
      },
      end: () => {
        const box = this.dragged;
        this.dragged = null;
        if (box) this.editor.place(thing.id, box);
        this.render();
      },
      cancel: () => {
        this.dragged = null;
        this.render();
      },
    });
  }

  /**
   * A drag over the picture draws a box; a click chooses the smallest box that is there.
   * @param {PointerEvent} event
   */
  draw(event) {
    const from = this.at(event);
    const { editor } = this;
    const under = boxUnder(editor.graph, from);
    let drawn = false;
    const shape = (/** @type {DOMPoint} */ to) => fitted({ x: from.x, y: from.y, w: to.x - from.x, h: to.y - from.y }, editor.picture);
    event.preventDefault();
    /** @type {HTMLElement | null} */ (document.activeElement)?.blur();
    const chosen = () => {
      if (drawn) return;
      editor.select(under?.id ?? null);
      if (under) this.focus(under.id);
    };
    addEventListener("pointerup", chosen, { once: true });
    follow(event, {
      start: () => {
        drawn = true;
      },
      move: (now) => this.stretch(shape(this.at(now))),
      end: (now) => {
        this.stretch(null);
        const box = shape(this.at(now));
        if (box) editor.add(box);
      },
      cancel: () => this.stretch(null),
    });
  }

  /** @param {Box | null} box */
  stretch(box) {
    this.band.toggleAttribute("hidden", !box);
    if (!box) return;
    const { x, y, w, h } = box;
    for (const [name, value] of Object.entries({ x, y, width: w, height: h })) this.band.setAttribute(name, String(value));
  }

  // ------------------------------------------------------------------ keys

  /** A step of the keyboard: half a percent of the picture. */
  get stride() {
    return Math.max(1, Math.round(this.editor.picture.width / 200));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { editor } = this;
    const thing = find(editor.graph, idAt(event.target));
    if (!thing || event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROWS[/** @type {keyof typeof ARROWS} */ (event.key)];
    /** @type {Record<string, () => void>} */
    const actions = {
      Delete: () => editor.remove(thing.id),
      Backspace: () => editor.remove(thing.id),
      Enter: () => this.grip(),
      PageDown: () => this.beside(thing.id, 1),
      PageUp: () => this.beside(thing.id, -1),
      Escape: () => editor.panel.focus(),
      " ": () => editor.panel.focus(),
    };
    if (arrow) {
      const step = this.stride * (event.shiftKey ? FAR : 1);
      const { x, y } = thing.box;
      const box = inside({ ...thing.box, x: x + arrow[0] * step, y: y + arrow[1] * step }, editor.picture);
      editor.place(thing.id, box, `nudge ${thing.id}`);
    } else if (actions[event.key]) actions[event.key]();
    else return;
    event.preventDefault();
  }

  /** @param {KeyboardEvent} event */
  gripKey(event) {
    const { editor } = this;
    const thing = find(editor.graph, editor.selected);
    const label = /** @type {Element} */ (event.target).getAttribute("data-grip");
    if (!thing || !label || event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROWS[/** @type {keyof typeof ARROWS} */ (event.key)];
    const labels = Object.keys(GRIPS);
    const way = { PageDown: 1, PageUp: -1, " ": 1 }[event.key];
    if (arrow) {
      const step = this.stride * (event.shiftKey ? FAR : 1);
      const sides = GRIPS[/** @type {keyof typeof GRIPS} */ (label)];
      const box = fitted(stretched(thing.box, sides, arrow[0] * step, arrow[1] * step), editor.picture);
      if (box) editor.place(thing.id, box, `stretch ${thing.id} ${label}`);
    } else if (way) this.grip(labels[(labels.indexOf(label) + way + labels.length) % labels.length]);
    else if (event.key === "Escape" || event.key === "Enter") this.focus(thing.id);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * @param {string} id
   * @param {number} way
   */
  beside(id, way) {
    const ids = this.editor.graph.things.map((thing) => thing.id);
    const next = ids[(ids.indexOf(id) + way + ids.length) % ids.length];
    this.editor.select(next);
    this.focus(next);
  }
}

/**
 * A box with some of its sides moved; a side stops before the one across from it.
 * @param {Box} box
 * @param {Sides} sides
 * @param {number} right
 * @param {number} down
 * @returns {Box}
 */
function stretched({ x, y, w, h }, [left, top, far, bottom], right, down) {
  const x1 = left ? Math.min(x + right, x + w - LEAST) : x;
  const y1 = top ? Math.min(y + down, y + h - LEAST) : y;
  const x2 = far ? Math.max(x + w + right, x + LEAST) : x + w;
  const y2 = bottom ? Math.max(y + h + down, y + LEAST) : y + h;
  return { x: x1, y: y1, w: x2 - x1, h: y2 - y1 };
}

/**
 * @param {Graph} graph
 * @param {{x: number, y: number}} at
 */
function boxUnder(graph, { x, y }) {
  const under = graph.things.filter(({ box }) => x >= box.x && x <= box.x + box.w && y >= box.y && y <= box.y + box.h);
  return under.sort((a, b) => a.box.w * a.box.h - b.box.w * b.box.h)[0];
}

/** @param {Box} box */
function middle({ x, y, w, h }) {
  return { x: x + w / 2, y: y + h / 2 };
}

/** @param {EventTarget | null} target */
function idAt(target) {
  return target instanceof Element ? (target.closest("[data-id]")?.getAttribute("data-id") ?? null) : null;
}
