// @ts-check
/** The scene editor: pictures that are made, or changed, out of clip art. */

import { html } from "../editor/dom.js";
import { TaskEditor, taskOf, written } from "../editor/task.js";
import { Timeline } from "../editor/timeline.js";
import { Art } from "./art.js";
import { added, bent, changed, find, fresh, keyOf, moved, removed, reordered, reshaped, toDepth, turnsOf } from "./clips.js";
import { fromComposition, toComposition } from "./format.js";
import { DEGREE } from "./handles.js";
import { Inspector } from "./inspector.js";
import { check } from "./rules.js";
import { Shelf, fullText } from "./shelf.js";
import { Stage } from "./stage.js";

/** @import {Clip, Point, Scene} from "./types.js" */
/** @import {Step} from "./format.js" */
/** @import {Rules} from "./rules.js" */
/** @import {State} from "../editor/task.js" */
/**
 * @typedef {object} Wanted one picture that a task asks for
 * @property {string} background
 * @property {number} [variant]
 * @property {string[] | null} [offered] pieces on the shelf; all that are at home in the background if null
 * @property {boolean} [person] whether there has to be one
 * @property {any} [start] the picture that is to be changed, as a composition
 * @property {string} [question]
 * @property {string} [answer] to the question, for the picture that is to be changed
 *
 * @typedef {{rules: Rules, scenes: Wanted[]}} Task
 * @typedef {{wanted: Wanted, start: Scene | null, timeline: Timeline<State<Scene>>, steps: Step[]}} Story
 */

/** @extends {TaskEditor<Scene, Story>} */
export class SceneEditor extends TaskEditor {
  /**
   * @param {HTMLElement} root
   * @param {Art} art
   * @param {Task} task
   * @param {Story[]} stories
   */
  constructor(root, art, task, stories) {
    super(root, stories);
    this.art = art;
    this.task = task;
    /** @type {string | null} */
    this.selected = null;
    /** @type {HTMLElement | null} where to go back to */
    this.origin = null;
    this.since = Date.now();
    this.stage = new Stage(this);
    this.shelf = new Shelf(this);
    this.inspector = new Inspector(this);
    this.listed = html("div", { class: "listed", role: "group", "aria-label": "In the picture" });
    this.empty = html("p", { class: "empty", "aria-hidden": "true" }, "Drag things here");
    this.build();
  }

  /**
   * Read the task from the page, fetch its art and draw.
   * @param {HTMLElement} root
   */
  static async open(root) {
    /** @type {Task} */
    const task = taskOf(root);
    const art = await Art.open(root.dataset.artUrl ?? "");
    // The page may have restored a draft meanwhile.
    const made = written(root);
    const stories = task.scenes.map((wanted, place) => storyOf(wanted, made[place]));
    await art.loadAll(stories.flatMap(({ start, timeline: { present } }) => namesOf(present.value, start)));
    const editor = new SceneEditor(root, art, task, stories);
    editor.since -= Math.max(0, ...stories.flatMap(({ steps }) => steps.map(({ at }) => at)));
    editor.render();
    return editor;
  }

  // ------------------------------------------------------------------ what there is

  get scene() {
    return this.value;
  }

  get chosen() {
    return find(this.scene, this.selected);
  }

  /** Names of the pieces on the shelf. */
  get offered() {
    const { offered, background } = this.story.wanted;
    const all = Object.entries(this.art.atlas.pieces);
    if (offered) return all.filter(([name]) => offered.includes(name)).map(([name]) => name);
    return all.filter(([, { scenes }]) => !scenes.length || scenes.includes(background)).map(([name]) => name);
  }

  /** @param {Clip} clip */
  labelOf(clip) {
    const { label } = this.art.atlas.pieces[clip.name];
    return clip.instance ? `${label} ${clip.instance + 1}` : label;
  }

  /**
   * A thing in words: what it is, where, how large.
   * @param {Clip} clip
   */
  describe(clip) {
    const [width, height] = this.art.atlas.size;
    const across = ["left", "middle", "right"][Math.min(2, Math.max(0, Math.floor((3 * clip.x) / width)))];
    const down = ["top", "centre", "bottom"][Math.min(2, Math.max(0, Math.floor((3 * clip.y) / height)))];
    const stencil = this.art.get(clip.name);
    const face = stencil.expressions ? `, ${clip.expression ? stencil.expressions[clip.expression] : "no face yet"}` : "";
    return `${this.labelOf(clip)}${face}, ${down} ${across}, size ${this.art.atlas.depths - clip.depth} of ${this.art.atlas.depths}`;
  }

  /** @param {Story} story */
  rulesOf(story) {
    const { wanted, start, timeline } = story;
    const asked = { rules: this.task.rules, person: Boolean(wanted.person), start };
    return check(timeline.present.value, asked, (name) => this.art.get(name));
  }

  /** @param {Story} story */
  bodyOf({ timeline, steps }) {
    if (!steps.length) return null;
    return toComposition(timeline.present.value, steps, this.art.atlas, (name) => this.art.get(name));
  }

  // ------------------------------------------------------------------ what is done

  /**
   * Go on to a scene, and keep what was done.
   * @param {Scene} scene
   * @param {Omit<Step, "at">} step
   * @param {string} said
   * @param {string} [kind] of steps that are taken back together
   */
  apply(scene, step, said, kind) {
    if (scene === this.scene) return;
    if (this.step(scene, said, kind)) this.story.steps.pop();
    this.log(step);
    this.render();
    this.save();
  }

  /** @param {Omit<Step, "at">} step */
  log(step) {
    this.story.steps.push({ at: Date.now() - this.since, ...step });
  }

  /** @param {string} name */
  isFull(name) {
    const full = !fresh(this.scene, this.art.get(name), this.art.atlas);
    if (full) this.live.say(fullText(this.art.atlas.pieces[name].label));
    return full;
  }

  /**
   * @param {string} name
   * @param {Point | undefined} at where it was dropped
   * @param {HTMLElement | null} origin what the keyboard comes from, and goes back to
   */
  async add(name, at, origin) {
    const stencil = await this.art.load(name);
    if (this.isFull(name)) return;
    const clip = /** @type {Clip} */ (fresh(this.scene, stencil, this.art.atlas, at));
    const key = keyOf(clip);
    this.selected = key;
    this.inspector.strip = "face";
    const help = origin ? " Arrow keys move it, Escape goes back to the shelf." : "";
    this.apply(added(this.scene, clip), { do: "add", on: key, to: [clip.x, clip.y] }, `${this.labelOf(clip)} is in the picture.${help}`);
    if (origin) {
      this.origin = origin;
      this.stage.focus(key);
    }
  }

  /** @param {string} key */
  remove(key) {
    const clip = find(this.scene, key);
    if (!clip) return;
    const focused = this.stage.element.contains(document.activeElement);
    this.selected = null;
    this.apply(removed(this.scene, key), { do: "remove", on: key }, `${this.labelOf(clip)} is taken out.`);
    if (!focused) return;
    const next = this.scene.clips.at(-1);
    if (next) this.stage.focus(keyOf(next));
    else this.shelf.focus();
  }

  /**
   * @param {string} key
   * @param {Point} to
   * @param {string} [kind]
   */
  move(key, to, kind) {
    const scene = moved(this.scene, key, to, this.art.atlas);
    const clip = /** @type {Clip} */ (find(scene, key));
    this.apply(scene, { do: "move", on: key, to: [clip.x, clip.y] }, `Moved: ${this.describe(clip)}.`, kind);
  }

  /**
   * @param {string} key
   * @param {number} step
   */
  resize(key, step) {
    const clip = /** @type {Clip} */ (find(this.scene, key));
    const depth = clip.depth + step;
    const size = this.art.atlas.depths - depth;
    const scene = toDepth(this.scene, key, depth, this.art.get(clip.name), this.art.atlas);
    if (scene === this.scene) return this.live.say(step < 0 ? "It cannot be bigger." : "It cannot be smaller.");
    this.apply(scene, { do: "depth", on: key, to: depth }, `${this.labelOf(clip)}: size ${size} of ${this.art.atlas.depths}.`);
  }

  /** @param {string} key */
  flip(key) {
    const clip = /** @type {Clip} */ (find(this.scene, key));
    if (this.art.get(clip.name).flips === false) return this.live.say("It has writing on it and cannot be turned.");
    const flip = !clip.flip;
    this.apply(changed(this.scene, key, { flip }), { do: "flip", on: key, to: flip }, `${this.labelOf(clip)} faces ${flip ? "right" : "left"}.`);
  }

  /**
   * @param {string} key
   * @param {1 | -1} way
   */
  reorder(key, way) {
    const clip = /** @type {Clip} */ (find(this.scene, key));
    const scene = reordered(this.scene, key, way);
    const where = way > 0 ? "forward" : "back";
    if (scene === this.scene) return this.live.say(`Nothing of its size is ${way > 0 ? "before" : "behind"} it; change its size to pass others.`);
    this.apply(scene, { do: where, on: key }, `${this.labelOf(clip)}: one place ${where}.`);
  }

  /**
   * @param {string} key
   * @param {number} expression
   */
  express(key, expression) {
    const clip = /** @type {Clip} */ (find(this.scene, key));
    const label = this.art.get(clip.name).expressions?.[expression];
    this.apply(changed(this.scene, key, { expression }), { do: "expression", on: key, to: expression }, `${this.labelOf(clip)} looks ${label}.`);
  }

  /**
   * @param {string} key
   * @param {string} pose
   */
  pose(key, pose) {
    const clip = /** @type {Clip} */ (find(this.scene, key));
    const person = this.art.get(clip.name);
    const turns = [...(person.poses?.[pose] ?? [])];
    const scene = reshaped(this.scene, key, { turns }, person, this.art.atlas);
    this.apply(scene, { do: "turns", on: key, to: pose }, `${this.labelOf(clip)}: ${pose}.`);
  }

  /**
   * @param {string} key
   * @param {"style" | "pose" | "variant"} member
   * @param {number} number
   */
  reform(key, member, number) {
    const clip = /** @type {Clip} */ (find(this.scene, key));
    const stencil = this.art.get(clip.name);
    const scene = reshaped(this.scene, key, { [member]: number }, stencil, this.art.atlas);
    this.apply(scene, { do: member, on: key, to: number }, `${this.labelOf(clip)}: ${stencil.forms[number].name}.`);
  }

  /**
   * @param {string} key
   * @param {number} place
   * @param {string} color
   * @param {string} slot
   */
  color(key, place, color, slot) {
    const clip = /** @type {Clip} */ (find(this.scene, key));
    const slots = this.art.get(clip.name).slots;
    const colors = slots.map((each, number) => (number === place ? color : (clip.colors[number] ?? null)));
    this.apply(changed(this.scene, key, { colors }), { do: "color", on: key, to: [slot, color] }, `${this.labelOf(clip)}: ${slot} ${color}.`);
  }

  /**
   * @param {number} limb
   * @param {number} degrees by which it is turned on
   */
  turn(limb, degrees) {
    const clip = this.chosen;
    if (!clip) return;
    const turns = turnsOf(clip, this.art.get(clip.name));
    this.bend(keyOf(clip), limb, turns[limb] + degrees * DEGREE, `turn ${limb}`);
  }

  /**
   * @param {string} key
   * @param {number} limb
   * @param {number} angle
   * @param {string} [kind]
   */
  bend(key, limb, angle, kind) {
    const clip = /** @type {Clip} */ (find(this.scene, key));
    const person = this.art.get(clip.name);
    const scene = bent(this.scene, key, limb, angle, person);
    const turn = turnsOf(/** @type {Clip} */ (find(scene, key)), person)[limb];
    const name = person.limbs[limb];
    if (turn === turnsOf(clip, person)[limb]) {
      this.render();
      return this.live.say(`The ${name} goes no farther.`);
    }
    this.apply(scene, { do: "turn", on: key, to: [name, turn] }, `${name}: ${Math.round(turn / DEGREE)} degrees.`, kind);
  }

  /** @param {"undo" | "redo"} way */
  travelled(way) {
    this.log({ do: way, on: "" });
  }

  // ------------------------------------------------------------------ where one is

  /** @param {string | null} key */
  select(key) {
    if (key === this.selected) return;
    this.selected = key;
    const clip = this.chosen;
    if (clip && this.art.get(clip.name).bones) this.inspector.strip = clip.expression ? "pose" : "face";
    this.render();
  }

  /** Back to where the keyboard came from. */
  leave() {
    const back = this.origin?.isConnected ? this.origin : null;
    this.origin = null;
    this.select(null);
    if (back) back.focus();
    else this.shelf.focus();
  }

  /** @param {number} place */
  go(place) {
    this.selected = null;
    super.go(place);
  }

  /** What was chosen may be gone. */
  arrived() {
    if (!this.chosen) this.selected = null;
  }

  // ------------------------------------------------------------------ what is seen

  build() {
    const bin = html("p", { class: "bin", "aria-hidden": "true" }, "Let go to take it out");
    const canvas = html("div", { class: "canvas" }, this.stage.element, this.empty, bin);
    const work = html("div", { class: "work" }, canvas, this.foot, this.inspector.element);
    const side = html("div", { class: "side" }, this.shelf.element, this.listed);
    this.root.append(this.refusal, this.question, this.head, html("div", { class: "table" }, work, side));
    this.root.classList.add("ready");
  }

  /** @param {Scene} scene */
  preview(scene) {
    this.stage.render(scene);
  }

  render() {
    this.renderFrame();
    this.stage.render(this.scene);
    this.inspector.render(this.chosen);
    this.shelf.render();
    this.renderList();
    this.empty.toggleAttribute("hidden", this.scene.clips.length > 0);
    this.question.replaceChildren(...questionOf(this.story.wanted));
  }

  renderList() {
    const focused = document.activeElement?.getAttribute("data-listed");
    this.listed.replaceChildren(
      html("h2", {}, `In the picture (${this.scene.clips.length})`),
      ...this.scene.clips.map((clip) => {
        const key = keyOf(clip);
        const attributes = { type: "button", "data-listed": key, "aria-pressed": String(key === this.selected) };
        return html("button", { ...attributes, onclick: () => this.select(key) }, this.labelOf(clip));
      }),
    );
    if (focused) /** @type {HTMLElement | null} */ (this.listed.querySelector(`[data-listed="${CSS.escape(focused)}"]`))?.focus();
  }
}

/**
 * @param {Wanted} wanted
 * @param {any} composition what was made of it so far
 * @returns {Story}
 */
function storyOf(wanted, composition) {
  const start = wanted.start ? fromComposition(wanted.start) : null;
  const blank = { background: wanted.background, variant: wanted.variant ?? 0, colors: [], clips: [] };
  const scene = composition ? fromComposition(composition) : (start ?? blank);
  return { wanted, start, timeline: new Timeline({ value: scene, said: "" }), steps: composition?.scene.userSequence ?? [] };
}

/** @param {(Scene | null)[]} scenes */
function namesOf(...scenes) {
  return scenes.flatMap((scene) => (scene ? [scene.background, ...scene.clips.map(({ name }) => name)] : []));
}

/** @param {Wanted} wanted */
function questionOf({ question, answer }) {
  if (!question) return [];
  const now = answer ? html("span", { class: "answer" }, "now: ", html("strong", {}, answer)) : "";
  return [html("strong", {}, question), " ", now];
}
