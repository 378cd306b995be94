// @ts-check
/** Small drawings of things: on the shelf, and of each choice that there is. */

import { html } from "../editor/dom.js";
import { joints, spot } from "./figure.js";
import { NAMESPACE, parts, restOf } from "./render.js";

/** @import {Atlas, Box, Clip, Stencil} from "./types.js" */
/** @typedef {Pick<Clip, "variant" | "pose" | "style" | "expression" | "turns" | "colors">} Look */

/** @type {Look} */
export const PLAIN = { variant: 0, pose: 0, style: 0, expression: 0, turns: [], colors: [] };
const HAIR = 8;
const EDGE = 3;

/**
 * A drawing of a piece in some look; of people also of the head only. It is an image, so that a page of a hundred
 * drawings has a hundred elements and not ten thousand.
 * @param {Stencil} stencil
 * @param {Look} look
 * @param {Atlas} atlas
 * @param {{head?: boolean}} [options]
 */
export function thumbnail(stencil, look, atlas, { head = false } = {}) {
  const [left, top, wide, high] = frameOf(stencil, look, head);
  const style = Object.entries(atlas.style).map(([name, value]) => `${name}="${value}"`);
  const frame = `viewBox="${left} ${top} ${wide} ${high}" width="${wide}" height="${high}"`;
  const text = `<svg xmlns="${NAMESPACE}" ${frame} ${style.join(" ")}>${parts(look, stencil, atlas.palette)}</svg>`;
  const src = `data:image/svg+xml,${encodeURIComponent(text)}`;
  return html("img", { class: "thumbnail", src, alt: "", draggable: "false" });
}

/**
 * What a drawing takes up: left, top, width, height in pixels of the nearest depth.
 * @param {Stencil} stencil
 * @param {Look} look
 * @param {boolean} [head]
 */
export function frameOf(stencil, look, head = false) {
  const [left, top, right, bottom] = head ? headBox(stencil, look) : boxOf(stencil, look);
  return [left - EDGE, top - EDGE, right - left + 2 * EDGE, bottom - top + 2 * EDGE];
}

/**
 * @param {Stencil} stencil
 * @param {Look} look
 * @returns {Box}
 */
function boxOf(stencil, look) {
  if (!stencil.bones) return stencil.forms[stencil.kind === "animal" ? look.pose : look.variant].box;
  const found = joints(stencil.bones, look.turns.length ? look.turns : restOf(stencil));
  const circles = stencil.bones.flatMap((bone, place) =>
    bone.touch.map(([x, y, radius]) => [...spot(found[place], [x, y]), radius]),
  );
  return around(circles, HAIR);
}

/**
 * @param {Stencil} person
 * @param {Look} look
 * @returns {Box}
 */
function headBox(person, look) {
  const bones = person.bones ?? [];
  const found = joints(bones, look.turns.length ? look.turns : restOf(person));
  const place = bones.findIndex((bone) => bone.name === "head");
  return around(bones[place].touch.map(([x, y, radius]) => [...spot(found[place], [x, y]), radius]), HAIR / 2);
}

/**
 * @param {number[][]} circles
 * @param {number} margin
 * @returns {Box}
 */
function around(circles, margin) {
  return [
    Math.min(...circles.map(([x, , radius]) => x - radius)) - margin,
    Math.min(...circles.map(([, y, radius]) => y - radius)) - margin,
    Math.max(...circles.map(([x, , radius]) => x + radius)) + margin,
    Math.max(...circles.map(([, y, radius]) => y + radius)) + 2,
  ];
}
