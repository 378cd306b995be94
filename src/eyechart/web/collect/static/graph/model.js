// @ts-check
/** Scene graphs and what can be done to them. Every function takes a graph and returns another. */

/**
 * @typedef {{x: number, y: number, w: number, h: number}} Box in pixels of the picture
 *
 * @typedef {object} Thing
 * @property {string} id
 * @property {string} name
 * @property {Box} box
 * @property {string[]} attributes
 *
 * @typedef {{subject: string, predicate: string, object: string}} Relation
 * @typedef {{things: Thing[], relations: Relation[]}} Graph
 *
 * @typedef {object} Picture
 * @property {string} url
 * @property {number} width
 * @property {number} height
 *
 * @typedef {object} Rules each for every picture that is begun, but for the last
 * @property {number} things
 * @property {number} attributes
 * @property {number} relations
 * @property {number} pictures that have to be done
 */
/** @import {Rule} from "../editor/task.js" */

/** @type {Graph} */
export const NOTHING = { things: [], relations: [] };
/** A box is at least so many pixels wide and high. */
export const LEAST = 4;

/**
 * @param {Graph} graph
 * @param {string | null} id
 */
export function find(graph, id) {
  return graph.things.find((thing) => thing.id === id);
}

/**
 * The box with its corners in order and inside of the picture, in whole pixels; null if it is too small.
 * @param {Box} box
 * @param {Picture} picture
 * @returns {Box | null}
 */
export function fitted({ x, y, w, h }, { width, height }) {
  const [left, right] = [x, x + w].sort((a, b) => a - b).map((value) => Math.round(clamp(value, 0, width)));
  const [top, bottom] = [y, y + h].sort((a, b) => a - b).map((value) => Math.round(clamp(value, 0, height)));
  const box = { x: left, y: top, w: right - left, h: bottom - top };
  return box.w >= LEAST && box.h >= LEAST ? box : null;
}

/**
 * A box that was moved stops at the picture's edges and keeps its size.
 * @param {Box} box
 * @param {Picture} picture
 * @returns {Box}
 */
export function inside({ x, y, w, h }, { width, height }) {
  return { x: Math.round(clamp(x, 0, width - w)), y: Math.round(clamp(y, 0, height - h)), w, h };
}

/**
 * @param {number} value
 * @param {number} low
 * @param {number} high
 */
function clamp(value, low, high) {
  return Math.min(high, Math.max(low, value));
}

/**
 * @param {Graph} graph
 * @param {Box} box
 * @returns {Thing}
 */
export function fresh(graph, box) {
  const last = Math.max(0, ...graph.things.map(({ id }) => Number(id)));
  return { id: String(last + 1), name: "", box, attributes: [] };
}

/**
 * @param {Graph} graph
 * @param {Thing} thing
 * @returns {Graph}
 */
export function added(graph, thing) {
  return { ...graph, things: [...graph.things, thing] };
}

/**
 * Without a thing, and without what was said of it.
 * @param {Graph} graph
 * @param {string} id
 * @returns {Graph}
 */
export function removed(graph, id) {
  return {
    things: graph.things.filter((thing) => thing.id !== id),
    relations: graph.relations.filter(({ subject, object }) => subject !== id && object !== id),
  };
}

/**
 * @param {Graph} graph
 * @param {string} id
 * @param {Partial<Thing>} changes
 * @returns {Graph}
 */
export function changed(graph, id, changes) {
  return { ...graph, things: graph.things.map((thing) => (thing.id === id ? { ...thing, ...changes } : thing)) };
}

/**
 * With one more relation, unless it is there.
 * @param {Graph} graph
 * @param {Relation} relation
 * @returns {Graph}
 */
export function related(graph, relation) {
  const known = graph.relations.some((each) => sameRelation(each, relation));
  return known ? graph : { ...graph, relations: [...graph.relations, relation] };
}

/**
 * @param {Graph} graph
 * @param {Relation} relation
 * @returns {Graph}
 */
export function unrelated(graph, relation) {
  return { ...graph, relations: graph.relations.filter((each) => !sameRelation(each, relation)) };
}

/**
 * @param {Relation} one
 * @param {Relation} other
 */
function sameRelation(one, other) {
  return one.subject === other.subject && one.predicate === other.predicate && one.object === other.object;
}

/**
 * What a picture that is begun still needs; the server asks for the same (`collection/bodies/graph.py`).
 * @param {Graph} graph
 * @param {Rules} rules
 * @returns {Rule[]}
 */
export function check(graph, rules) {
  const nameless = graph.things.filter(({ name }) => !name).length;
  const attributes = graph.things.reduce((sum, thing) => sum + thing.attributes.length, 0);
  return [
    counted("things", graph.things.length, rules.things, ["thing", "things"]),
    ...(graph.things.length ? [named(nameless)] : []),
    ...(rules.attributes ? [counted("attributes", attributes, rules.attributes, ["attribute", "attributes"])] : []),
    ...(rules.relations ? [counted("relations", graph.relations.length, rules.relations, ["relation", "relations"])] : []),
  ];
}

/**
 * @param {string} id
 * @param {number} count
 * @param {number} least
 * @param {[string, string]} words
 * @returns {Rule}
 */
function counted(id, count, least, [one, several]) {
  const more = least - count;
  const text = `${Math.min(count, least)} of ${least} ${several}`;
  return { id, met: count >= least, text, missing: `Add ${more} more ${more === 1 ? one : several}.` };
}

/**
 * @param {number} nameless
 * @returns {Rule}
 */
function named(nameless) {
  const missing = nameless === 1 ? "Name the thing that has no name." : `Name the ${nameless} things that have no name.`;
  return { id: "names", met: nameless === 0, text: "names", missing };
}

/**
 * What is handed in for a picture: nothing if it was left out.
 * @param {Graph} graph
 */
export function toBody({ things, relations }) {
  if (!things.length) return null;
  const objects = things.map(({ id, name, box, attributes }) => ({ object_id: id, name, ...box, attributes }));
  const triples = relations.map(({ subject, predicate, object }) => ({ subject_id: subject, predicate, object_id: object }));
  return { objects, relations: triples };
}

/**
 * @param {any} body
 * @returns {Graph}
 */
export function fromBody(body) {
  if (!body) return NOTHING;
  const { objects, relations } = body;
  return {
    things: objects.map((/** @type {any} */ object) => ({
      ...{ id: object.object_id, name: object.name, attributes: object.attributes },
      box: { x: object.x, y: object.y, w: object.w, h: object.h },
    })),
    relations: relations.map((/** @type {any} */ each) => ({
      ...{ subject: each.subject_id, predicate: each.predicate, object: each.object_id },
    })),
  };
}
