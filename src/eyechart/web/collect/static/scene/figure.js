// @ts-check
/** Jointed figures: bones that hang on each other, and cloth over them; the same sums as `scenes/art/figures`. */

/** @import {Bone, Point, Stencil} from "./types.js" */
/** @typedef {{x: number, y: number, turn: number}} Joint */

/**
 * A number rounded as Python rounds: to so many digits, halves to the even neighbour.
 * @param {number} value
 * @param {number} digits
 */
export function fixed(value, digits) {
  const halves = value * 2 ** (digits + 1);
  if (!Number.isInteger(halves) || halves % 2 === 0) return value.toFixed(digits);
  const scale = 10 ** digits;
  const below = Math.floor(value * scale);
  return ((below % 2 === 0 ? below : below + 1) / scale).toFixed(digits);
}

/**
 * How far each bone is turned in the picture: bends add up along the chain.
 * @param {Bone[]} bones
 * @param {number[]} bends
 */
export function turned(bones, bends) {
  /** @type {number[]} */
  const turns = [];
  bones.forEach((bone, place) => {
    turns.push(bone.parent === null ? bends[place] : turns[bone.parent] + bends[place]);
  });
  return turns;
}

/**
 * Where every bone is in the figure.
 * @param {Bone[]} bones
 * @param {number[]} bends
 * @returns {Joint[]}
 */
export function joints(bones, bends) {
  const turns = turned(bones, bends);
  /** @type {Joint[]} */
  const found = [];
  bones.forEach((bone, place) => {
    const [x, y] = bone.parent === null ? bone.at : spot(found[bone.parent], bone.at);
    found.push({ x, y, turn: turns[place] });
  });
  return found;
}

/**
 * Where a point of a bone is in the figure, to a millionth of a pixel.
 * @param {Joint} joint
 * @param {Point} point
 * @returns {Point}
 */
export function spot(joint, [x, y]) {
  const sine = Math.sin(joint.turn);
  const cosine = Math.cos(joint.turn);
  return [Number(fixed(joint.x + x * cosine - y * sine, 6)), Number(fixed(joint.y + x * sine + y * cosine, 6))];
}

/**
 * The height of the ground below a person: the lowest point of what may touch it.
 * @param {Stencil} person
 * @param {number[]} bends
 */
export function lowest(person, bends) {
  const bones = person.bones ?? [];
  const found = joints(bones, bends);
  return Math.max(
    ...bones.flatMap((bone, place) => bone.touch.map(([x, y, radius]) => spot(found[place], [x, y])[1] + radius)),
  );
}

/**
 * The convex hull, clockwise on the screen (Andrew's monotone chain).
 * @param {Point[]} points
 */
export function hull(points) {
  const unique = new Map(points.map((point) => [point.join(" "), point]));
  const ordered = [...unique.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  if (ordered.length < 2) return ordered;
  return [...half(ordered).slice(0, -1), ...half([...ordered].reverse()).slice(0, -1)];
}

/** @param {Point[]} points */
function half(points) {
  /** @type {Point[]} */
  const chain = [];
  for (const point of points) {
    while (chain.length > 1 && cross(chain[chain.length - 2], chain[chain.length - 1], point) <= 0) chain.pop();
    chain.push(point);
  }
  return chain;
}

/**
 * @param {Point} a
 * @param {Point} b
 * @param {Point} c
 */
function cross(a, b, c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/**
 * A coordinate as short as a hundredth of a pixel allows.
 * @param {number} value
 */
export function number(value) {
  const text = fixed(value, 2).replace(/0+$/, "").replace(/\.$/, "");
  return text === "-0" ? "0" : text;
}

/**
 * The outline at a distance from a convex polygon whose corners go clockwise.
 * @param {Point[]} corners
 * @param {number} radius
 */
export function rounded(corners, radius) {
  const arc = `A${number(radius)} ${number(radius)} 0 0 1 `;
  const path = corners.map(([x1, y1], place) => {
    const [x2, y2] = corners[(place + 1) % corners.length];
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const dx = ((y2 - y1) / length) * radius;
    const dy = ((x1 - x2) / length) * radius;
    return `${number(x1 + dx)} ${number(y1 + dy)}L${number(x2 + dx)} ${number(y2 + dy)}`;
  });
  return `M${path.join(arc)}${arc}${path[0].split("L")[0]}Z`;
}
