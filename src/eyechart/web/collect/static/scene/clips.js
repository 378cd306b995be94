// @ts-check
/** What can be done to a scene. Every function takes a scene and returns another; nothing is changed in place. */

import { joints, lowest, spot } from "./figure.js";
import { paintersOrder, restOf, scaleOf } from "./render.js";

/** @import {Atlas, Clip, Point, Scene, Stencil} from "./types.js" */

/** Of one piece, in one scene. */
export const INSTANCES = 5;
/** Scene pixels that somebody is high who stands nearest. */
export const FIGURE = 210;
/** What is drawn first among things of one depth: furniture, then animals, people, and small things before them. */
const LAYERS = { background: 4, largeObject: 3, animal: 2, human: 1, smallObject: 0 };
const MIDDLE = 5; // of the ten places within a layer
const DEPTH = 1; // of what is put into a scene
const HANGING = ["wall", "ceiling", "sky", "tree"];

/** @param {Clip} clip */
export function keyOf(clip) {
  return `${clip.name}-${clip.instance}`;
}

/**
 * @param {Scene} scene
 * @param {string | null} key
 */
export function find(scene, key) {
  return scene.clips.find((clip) => keyOf(clip) === key);
}

/**
 * A new thing at its own place, or where it was dropped; null if there are as many as there may be.
 * @param {Scene} scene
 * @param {Stencil} stencil
 * @param {Atlas} atlas
 * @param {Point} [at]
 * @returns {Clip | null}
 */
export function fresh(scene, stencil, atlas, at) {
  const taken = scene.clips.filter((clip) => clip.name === stencil.name).map((clip) => clip.instance);
  const instance = [...Array(INSTANCES).keys()].find((number) => !taken.includes(number));
  if (instance === undefined) return null;
  /** @type {Clip} */
  const clip = {
    ...{ name: stencil.name, instance, x: 0, y: 0, depth: DEPTH, flip: false },
    ...{ variant: 0, pose: 0, style: 0, expression: 0 },
    turns: [...restOf(stencil)],
    colors: [],
    layer: LAYERS[stencil.kind],
    sublayer: MIDDLE,
  };
  const [x, y] = at ?? freePlace(clip, scene, stencil, atlas);
  return { ...clip, x: tidy(x), y: tidy(y) };
}

/**
 * Where a thing is put that nobody dragged: on the ground or high up, away from the others.
 * @param {Clip} clip
 * @param {Scene} scene
 * @param {Stencil} stencil
 * @param {Atlas} atlas
 * @returns {Point}
 */
function freePlace(clip, scene, stencil, atlas) {
  const [width, height] = atlas.size;
  const { places } = atlas.pieces[stencil.name];
  const stands = places.includes("floor") || !HANGING.some((place) => places.includes(place));
  const scale = scaleOf(clip, scene, atlas);
  const level = atlas.backgrounds[scene.background].levels[clip.depth];
  const y = stands ? level - baseOf(clip, stencil)[1] * scale : height * 0.22;
  const columns = [0.5, 0.3, 0.7, 0.15, 0.85, 0.4, 0.6, 0.22, 0.78].map((share) => share * width);
  const near = scene.clips.filter((other) => Math.abs(other.y - y) < height / 4);
  const room = (/** @type {number} */ x) => Math.min(width / 4, ...near.map((other) => Math.abs(other.x - x)));
  const x = columns.reduce((best, column) => (room(column) > room(best) + 1 ? column : best));
  return [x, y];
}

/**
 * The point that a thing stands on, seen from its origin.
 * @param {Clip} clip
 * @param {Stencil} stencil
 * @returns {Point}
 */
function baseOf(clip, stencil) {
  if (stencil.bones) return [0, lowest(stencil, clip.turns)];
  return stencil.forms[stencil.kind === "animal" ? clip.pose : clip.variant].base;
}

/**
 * @param {Scene} scene
 * @param {Clip} clip
 * @returns {Scene}
 */
export function added(scene, clip) {
  return { ...scene, clips: [...scene.clips, clip] };
}

/**
 * @param {Scene} scene
 * @param {string} key
 * @returns {Scene}
 */
export function removed(scene, key) {
  return { ...scene, clips: scene.clips.filter((clip) => keyOf(clip) !== key) };
}

/**
 * @param {Scene} scene
 * @param {string} key
 * @param {Partial<Clip>} changes
 * @returns {Scene}
 */
export function changed(scene, key, changes) {
  return { ...scene, clips: scene.clips.map((clip) => (keyOf(clip) === key ? { ...clip, ...changes } : clip)) };
}

/**
 * Its middle stays in the picture.
 * @param {Scene} scene
 * @param {string} key
 * @param {Point} at
 * @param {Atlas} atlas
 */
export function moved(scene, key, [x, y], atlas) {
  const [width, height] = atlas.size;
  return changed(scene, key, { x: tidy(Math.min(width, Math.max(0, x))), y: tidy(Math.min(height, Math.max(0, y))) });
}

/**
 * Nearer and larger, or farther and smaller; what it stands on stays where it is.
 * @param {Scene} scene
 * @param {string} key
 * @param {number} depth
 * @param {Stencil} stencil
 * @param {Atlas} atlas
 */
export function toDepth(scene, key, depth, stencil, atlas) {
  const clip = find(scene, key);
  if (!clip || depth < 0 || depth >= atlas.depths) return scene;
  const { scales } = atlas.backgrounds[scene.background];
  const [, base] = baseOf(clip, stencil);
  return changed(scene, key, { depth, y: tidy(clip.y + base * (scales[clip.depth] - scales[depth])) });
}

/**
 * One place forward or back among the things of one depth.
 * @param {Scene} scene
 * @param {string} key
 * @param {1 | -1} way 1 is forward
 */
export function reordered(scene, key, way) {
  const order = paintersOrder(scene.clips).map((place) => scene.clips[place]);
  const place = order.findIndex((clip) => keyOf(clip) === key);
  const [clip, other] = [order[place], order[place + way]];
  if (!clip || !other || other.depth !== clip.depth) return scene;
  return changed(scene, key, { layer: other.layer, sublayer: other.sublayer - way });
}

/**
 * One limb turned, as far as its joint allows.
 * @param {Scene} scene
 * @param {string} key
 * @param {number} limb
 * @param {number} angle
 * @param {Stencil} person
 */
export function bent(scene, key, limb, angle, person) {
  const clip = find(scene, key);
  const bone = person.bones?.[limb];
  if (!clip || !bone) return scene;
  const turns = turnsOf(clip, person).map((turn, place) => (place === limb ? within(angle, bone, turn) : turn));
  return changed(scene, key, { turns });
}

/**
 * An angle that the joint allows, to a ten-thousandth; of two limits the one that is nearer to where the limb is now.
 * @param {number} angle
 * @param {{low: number, high: number}} joint
 * @param {number} now
 */
export function within(angle, { low, high }, now) {
  const round = 2 * Math.PI;
  const near = angle - round * Math.round((angle - now) / round);
  const same = [near, near - round, near + round].find((turn) => turn >= low && turn <= high);
  const rounded = Math.round((same ?? near) * 1e4) / 1e4;
  return Math.min(high, Math.max(low, rounded));
}

/**
 * @param {Clip} clip
 * @param {Stencil} person
 */
export function turnsOf(clip, person) {
  return clip.turns.length ? clip.turns : restOf(person);
}

/**
 * Where the handles of a person's limbs are, seen from its origin: pivot and end of each.
 * @param {Clip} clip
 * @param {Stencil} person
 */
export function holds(clip, person) {
  const bones = person.bones ?? [];
  const found = joints(bones, turnsOf(clip, person));
  return found.map((joint, place) => ({
    /** @type {Point} */
    pivot: [joint.x, joint.y],
    end: spot(joint, /** @type {Point[]} */ (person.ends)[place]),
    above: place > 0 ? found[bones[place].parent ?? 0].turn : 0,
  }));
}

/**
 * The turn with which a limb's end points where the pointer is, seen from the person's origin.
 * @param {Clip} clip
 * @param {Stencil} person
 * @param {number} limb
 * @param {Point} to
 */
export function aimed(clip, person, limb, to) {
  const { pivot, above } = holds(clip, person)[limb];
  const end = /** @type {Point[]} */ (person.ends)[limb];
  return Math.atan2(to[1] - pivot[1], to[0] - pivot[0]) - Math.atan2(end[1], end[0]) - above;
}

/** @param {number} value */
function tidy(value) {
  return Math.round(value * 10) / 10;
}

/**
 * Another type, pose or dress; what the thing stands on stays where it is.
 * @param {Scene} scene
 * @param {string} key
 * @param {Partial<Clip>} changes
 * @param {Stencil} stencil
 * @param {Atlas} atlas
 */
export function reshaped(scene, key, changes, stencil, atlas) {
  const before = find(scene, key);
  if (!before) return scene;
  const after = { ...before, ...changes };
  const rise = (baseOf(before, stencil)[1] - baseOf(after, stencil)[1]) * scaleOf(before, scene, atlas);
  return changed(scene, key, { ...changes, y: tidy(before.y + rise) });
}
