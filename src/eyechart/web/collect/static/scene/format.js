// @ts-check
/** Scenes in the layout of the abstract-scenes dataset, and back; `eyechart import abstract-scenes` reads it. */

import { INSTANCES, turnsOf } from "./clips.js";
import { joints } from "./figure.js";
import { scaleOf } from "./render.js";

/** @import {Atlas, Clip, Scene, Stencil} from "./types.js" */
/** @typedef {{at: number, do: string, on: string, to?: unknown}} Step what somebody did, milliseconds after the start */
/** @typedef {Record<string, any>} Json */

/**
 * @param {Scene} scene
 * @param {Step[]} steps
 * @param {Atlas} atlas
 * @param {(name: string) => Stencil} stencils
 */
export function toComposition(scene, steps, atlas, stencils) {
  /** @type {Map<string, Json[]>} */
  const offers = new Map();
  const background = {
    ...{ type: "background", name: scene.background, instanceID: 0, present: true, deformable: false },
    ...{ x: 0, y: 0, typeID: scene.variant, colors: scene.colors },
  };
  offers.set(scene.background, [background]);
  for (const clip of scene.clips) {
    const instance = toInstance(clip, scene, atlas, stencils(clip.name));
    offers.set(clip.name, [...(offers.get(clip.name) ?? []), instance]);
  }
  const availableObject = [...offers.values()].map((instance) => {
    const taken = instance.map((each) => each.instanceID);
    const free = [...Array(INSTANCES + 1).keys()].find((number) => !taken.includes(number));
    return { numInstance: INSTANCES, smallestUnusedInstanceIdx: free, instance };
  });
  return { scene: { sceneType: scene.background, availableObject, userSequence: steps } };
}

/**
 * @param {Clip} clip
 * @param {Scene} scene
 * @param {Atlas} atlas
 * @param {Stencil} stencil
 * @returns {Json}
 */
function toInstance(clip, scene, atlas, stencil) {
  return {
    ...{ type: stencil.kind, name: clip.name, instanceID: clip.instance, present: true },
    ...{ deformable: Boolean(stencil.bones), flip: Number(clip.flip), x: clip.x, y: clip.y, z: clip.depth },
    ...{ depth0: clip.layer, depth1: clip.sublayer, poseID: clip.pose, typeID: clip.variant },
    ...{ styleID: clip.style, expressionID: clip.expression, colors: clip.colors },
    ...(stencil.bones ? limbs(clip, scene, atlas, stencil) : {}),
  };
}

/**
 * @param {Clip} clip
 * @param {Scene} scene
 * @param {Atlas} atlas
 * @param {Stencil} person
 */
function limbs(clip, scene, atlas, person) {
  const turns = turnsOf(clip, person);
  const found = joints(person.bones ?? [], turns);
  return {
    globalScale: scaleOf(clip, scene, atlas),
    partIdxList: Object.fromEntries(person.limbs.map((name, place) => [name, place])),
    deformableX: found.map((joint) => joint.x),
    deformableY: found.map((joint) => joint.y),
    deformableGlobalRot: found.map((joint) => joint.turn),
    deformableLocalRot: turns,
  };
}

/**
 * @param {Json} composition
 * @returns {Scene}
 */
export function fromComposition({ scene }) {
  /** @type {Json[]} */
  const instances = scene.availableObject.flatMap((/** @type {Json} */ offer) => offer.instance);
  const present = instances.filter((instance) => instance.present);
  const behind = present.find((instance) => instance.type === "background");
  const place = scene.sceneType.split("-")[0].toLowerCase().replaceAll(" ", "_");
  return {
    background: behind?.name ?? place,
    variant: behind?.typeID ?? 0,
    colors: behind?.colors ?? [],
    clips: present.filter((instance) => instance !== behind).map(fromInstance),
  };
}

/**
 * @param {Json} found
 * @returns {Clip}
 */
function fromInstance(found) {
  return {
    ...{ name: found.name, instance: found.instanceID ?? 0, x: found.x, y: found.y, depth: found.z ?? 0 },
    ...{ flip: Boolean(found.flip), variant: found.typeID ?? 0, pose: found.poseID ?? 0 },
    ...{ style: found.styleID ?? 0, expression: found.expressionID ?? 0 },
    ...{ turns: found.deformableLocalRot ?? [], colors: found.colors ?? [] },
    ...{ layer: found.depth0 ?? 0, sublayer: found.depth1 ?? 0 },
  };
}
