// @ts-check
/** What a scene needs before it can be handed in; the server asks for the same (`collection/bodies/scene.py`). */

import { find, keyOf, turnsOf } from "./clips.js";
import { restOf } from "./render.js";

/** @import {Clip, Scene, Stencil} from "./types.js" */
/**
 * @typedef {object} Rules
 * @property {number} things at least
 * @property {number} limbs of every new person that are turned, at least
 * @property {number} turn how far, in radians
 * @property {number} changes to a given scene, at least
 */
/** @import {Rule} from "../editor/task.js" */

const PLACE = 5; // pixels that a thing must be moved for a change

/**
 * @param {Scene} scene
 * @param {object} wanted
 * @param {Rules} wanted.rules
 * @param {boolean} wanted.person
 * @param {Scene | null} wanted.start
 * @param {(name: string) => Stencil} stencils
 * @returns {Rule[]}
 */
export function check(scene, { rules, person, start }, stencils) {
  const people = scene.clips.filter((clip) => stencils(clip.name).kind === "human");
  const added = people.filter((clip) => !(start && find(start, keyOf(clip))));
  return [
    ...(start ? [changesRule(changesOf(start, scene, rules), rules)] : [thingsRule(scene.clips.length, rules)]),
    ...(person && !start ? [personRule(people.length)] : []),
    ...(added.length || (person && !start) ? [facesRule(added, stencils), posesRule(added, rules, stencils)] : []),
  ];
}

/**
 * @param {number} count
 * @param {Rules} rules
 */
function thingsRule(count, { things }) {
  const text = `${Math.min(count, things)} of ${things} things`;
  const more = things - count;
  const missing = `Put ${more} more ${more === 1 ? "thing" : "things"} into the picture.`;
  return { id: "things", met: count >= things, text, missing };
}

/** @param {number} count */
function personRule(count) {
  return { id: "person", met: count > 0, text: "a person", missing: "Put at least one person into the picture." };
}

/**
 * @param {Clip[]} people
 * @param {(name: string) => Stencil} stencils
 */
function facesRule(people, stencils) {
  const blank = people.find((clip) => clip.expression === 0);
  const missing = blank ? `Choose a face for the ${stencils(blank.name).label}.` : "Choose a face for every person that you add.";
  return { id: "faces", met: people.length > 0 && !blank, text: "faces", missing };
}

/**
 * @param {Clip[]} people
 * @param {Rules} rules
 * @param {(name: string) => Stencil} stencils
 */
function posesRule(people, { limbs, turn }, stencils) {
  const stiff = people.find((clip) => turnedLimbs(clip, stencils(clip.name), turn) < limbs);
  const missing = stiff
    ? `Pose the ${stencils(stiff.name).label}: turn at least ${limbs} limbs.`
    : "Pose every person that you add.";
  return { id: "poses", met: people.length > 0 && !stiff, text: "poses", missing };
}

/**
 * @param {number} count
 * @param {Rules} rules
 */
function changesRule(count, { changes }) {
  const text = `${Math.min(count, changes)} of ${changes} changes`;
  const more = changes - count;
  const missing = `Make ${more} more ${more === 1 ? "change" : "changes"} to the picture.`;
  return { id: "changes", met: count >= changes, text, missing };
}

/**
 * How many limbs are turned away from how people stand when they are put into a scene.
 * @param {Clip} clip
 * @param {Stencil} person
 * @param {number} least
 */
export function turnedLimbs(clip, person, least) {
  const rest = restOf(person);
  return turnsOf(clip, person).filter((turn, limb) => Math.abs(turn - rest[limb]) > least).length;
}

/**
 * How many things came or went, and what of the others is no longer as it was.
 * @param {Scene} start
 * @param {Scene} scene
 * @param {Rules} rules
 */
export function changesOf(start, scene, rules) {
  const gone = start.clips.filter((clip) => !find(scene, keyOf(clip))).length;
  return scene.clips.reduce((count, clip) => {
    const before = find(start, keyOf(clip));
    return count + (before ? differences(before, clip, rules.turn) : 1);
  }, gone);
}

/**
 * @param {Clip} before
 * @param {Clip} after
 * @param {number} turn
 */
function differences(before, after, turn) {
  const far = Math.abs(before.x - after.x) > PLACE || Math.abs(before.y - after.y) > PLACE;
  const shown = ["variant", "pose", "style"].some((name) => before[/** @type {"pose"} */ (name)] !== after[/** @type {"pose"} */ (name)]);
  const slots = Math.max(before.colors.length, after.colors.length);
  const colors = [...Array(slots).keys()].some((slot) => (before.colors[slot] ?? null) !== (after.colors[slot] ?? null));
  const limbs = after.turns.some((angle, limb) => Math.abs(angle - (before.turns[limb] ?? angle)) > turn);
  const different = [far || before.depth !== after.depth, before.flip !== after.flip, before.expression !== after.expression];
  return [...different, shown, colors, limbs].filter(Boolean).length;
}
