// @ts-check
/** Scenes as SVG: word for word the document that `eyechart.scenes.render.to_svg` makes of the same scene. */

import { fixed, hull, joints, rounded, spot } from "./figure.js";

/** @import {Atlas, Clip, Cut, Drape, Scene, Stencil} from "./types.js" */
/** @typedef {(name: string) => Stencil} Stencils gives a piece that has been loaded */

export const NAMESPACE = "http://www.w3.org/2000/svg";
const IDENTITY = [1, 0, 0, 1, 0, 0];

/**
 * A whole scene as an SVG document.
 * @param {Scene} scene
 * @param {Atlas} atlas
 * @param {Stencils} stencils
 * @param {number} [wide]
 */
export function toSvg(scene, atlas, stencils, wide) {
  const [width, height] = atlas.size;
  const inside =
    parts(behind(scene), stencils(scene.background), atlas.palette) +
    paintersOrder(scene.clips)
      .map((place) => {
        const clip = scene.clips[place];
        const inner = parts(clip, stencils(clip.name), atlas.palette);
        return `<g transform="${placeOf(clip, scene, atlas)}">${inner}</g>`;
      })
      .join("");
  const across = wide ?? width;
  const frame = `viewBox="0 0 ${width} ${height}" width="${across}" height="${Math.round((across * height) / width)}"`;
  const style = Object.entries(atlas.style).map(([name, value]) => `${name}="${value}"`);
  return `<svg xmlns="${NAMESPACE}" ${frame} ${style.join(" ")}>${inside}</svg>`;
}

/**
 * The background as a clip, for its look and its colours.
 * @param {Scene} scene
 * @returns {Pick<Clip, "variant" | "pose" | "style" | "expression" | "turns" | "colors">}
 */
export function behind(scene) {
  return { variant: scene.variant, pose: 0, style: 0, expression: 0, turns: [], colors: scene.colors };
}

/**
 * Places of clips, the first to be drawn first: far before near, high layers before low, high up before low down.
 * @param {Clip[]} clips
 */
export function paintersOrder(clips) {
  return clips
    .map((_, place) => place)
    .sort((one, other) => {
      const [a, b] = [clips[one], clips[other]];
      return b.depth - a.depth || b.layer - a.layer || b.sublayer - a.sublayer || a.y - b.y || one - other;
    });
}

/**
 * The size of a clip in its scene.
 * @param {Clip} clip
 * @param {Scene} scene
 * @param {Atlas} atlas
 */
export function scaleOf(clip, scene, atlas) {
  return atlas.backgrounds[scene.background].scales[clip.depth];
}

/**
 * @param {Clip} clip
 * @param {Scene} scene
 * @param {Atlas} atlas
 */
export function placeOf(clip, scene, atlas) {
  const scale = scaleOf(clip, scene, atlas);
  return matrix([clip.flip ? -scale : scale, 0, 0, scale, clip.x, clip.y]);
}

/**
 * A matrix as SVG writes it, to a ten-thousandth, six digits at most.
 * @param {number[]} values
 */
export function matrix(values) {
  return `matrix(${values.map((value) => String(Number(Number(fixed(value, 4)).toPrecision(6)) + 0)).join(" ")})`;
}

/**
 * What a clip shows, before it is placed.
 * @param {Pick<Clip, "variant" | "pose" | "style" | "expression" | "turns" | "colors">} clip
 * @param {Stencil} stencil
 * @param {Record<string, string>} palette
 */
export function parts(clip, stencil, palette) {
  const values = colorValues(clip.colors, stencil, palette);
  if (!stencil.bones) return painted(stencil.forms[stencil.kind === "animal" ? clip.pose : clip.variant].svg, values);
  const frames = joints(stencil.bones, clip.turns.length ? clip.turns : restOf(stencil));
  const cuts = /** @type {(Cut | Drape)[]} */ (stencil.cuts);
  const look = /** @type {number[][][]} */ (stencil.looks)[clip.style][clip.expression];
  return look.map((place) => part(cuts[place], frames, values)).join("");
}

/**
 * The turns of somebody who has not been posed.
 * @param {Stencil} person
 * @returns {number[]}
 */
export function restOf(person) {
  return person.poses?.standing ?? [];
}

/**
 * @param {Cut | Drape} cut
 * @param {import("./figure.js").Joint[]} frames
 * @param {Record<string, string>} values
 */
function part(cut, frames, values) {
  if ("points" in cut) {
    const corners = hull(cut.points.map(([bone, at]) => spot(frames[bone], at)));
    return `<path d="${rounded(corners, cut.edge)}" fill="${values[cut.slot]}"/>`;
  }
  const { x, y, turn } = frames[cut.bone];
  const [cosine, sine, k] = [Math.cos(turn), Math.sin(turn), cut.scale];
  const [px, py] = cut.at;
  const found = [
    ...[k * cosine, k * sine, -k * sine, k * cosine],
    ...[x + px * cosine - py * sine, y + px * sine + py * cosine],
  ];
  const inner = painted(cut.svg, values);
  return found.every((value, place) => value === IDENTITY[place])
    ? inner
    : `<g transform="${matrix(found)}">${inner}</g>`;
}

/**
 * @param {(string | null)[]} colors
 * @param {Stencil} stencil
 * @param {Record<string, string>} palette
 */
function colorValues(colors, stencil, palette) {
  /** @type {Record<string, string>} */
  const values = stencil.skin ? { skin: stencil.skin } : {};
  stencil.slots.forEach((slot, place) => {
    values[slot.name] = palette[colors[place] ?? slot.default];
  });
  return values;
}

/**
 * @param {string} svg
 * @param {Record<string, string>} values
 */
function painted(svg, values) {
  return svg.replace(/\{([^{}]+)\}/g, (_, slot) => values[slot]);
}
