// @ts-check
/** The scene-graph editor: what is in pictures, what it is like, and how it relates. */

import { html } from "../editor/dom.js";
import { roving } from "../editor/roving.js";
import { TaskEditor, taskOf, written } from "../editor/task.js";
import { Timeline } from "../editor/timeline.js";
import { added, changed, check, find, fitted, fresh, fromBody, inside, related, removed, toBody, unrelated } from "./model.js";
import { Panel } from "./panel.js";
import { Stage } from "./stage.js";

/** @import {Box, Graph, Picture, Relation, Rules, Thing} from "./model.js" */
/** @import {State} from "../editor/task.js" */
/** @typedef {{rules: Rules, pictures: Picture[]}} Task */
/** @typedef {{picture: Picture, timeline: Timeline<State<Graph>>}} Story */

/** @extends {TaskEditor<Graph, Story>} */
export class GraphEditor extends TaskEditor {
  /**
   * @param {HTMLElement} root
   * @param {Task} task
   * @param {Story[]} stories
   */
  constructor(root, task, stories) {
    super(root, stories);
    this.task = task;
    this.suggestUrl = root.dataset.suggestUrl ?? "";
    /** @type {string | null} */
    this.selected = null;
    this.relating = { predicate: "", object: "" };
    this.stage = new Stage(this);
    this.panel = new Panel(this);
    this.pictures = html("div", { class: "strip-of-pictures", role: "tablist", "aria-label": "Pictures of this task" });
    this.build();
  }

  /**
   * Read the task from the page, and the sizes of pictures from the pictures where they are not said.
   * @param {HTMLElement} root
   */
  static async open(root) {
    const data = taskOf(root);
    const pictures = await Promise.all(data.pictures.map(measured));
    const made = written(root);
    const stories = pictures.map((picture, place) => storyOf(picture, made[place]));
    const editor = new GraphEditor(root, { ...data, pictures }, stories);
    editor.render();
    return editor;
  }

  // ------------------------------------------------------------------ what there is

  get graph() {
    return this.value;
  }

  get picture() {
    return this.story.picture;
  }

  /** @param {Thing} thing */
  labelOf(thing) {
    return `${thing.id} ${thing.name || "no name yet"}`;
  }

  /** @param {Thing} thing */
  describe(thing) {
    const { x, y, w, h } = thing.box;
    return `${this.labelOf(thing)}, ${w} by ${h} pixels at ${x}, ${y}`;
  }

  /** @param {string} id */
  relationsOf(id) {
    return this.graph.relations.filter(({ subject }) => subject === id);
  }

  /** @param {Relation} relation */
  sentence({ predicate, object }) {
    const other = find(this.graph, object);
    return `${predicate} ${other ? other.name || `thing ${other.id}` : ""}`;
  }

  /** @param {Story} story */
  rulesOf(story) {
    const graph = story.timeline.present.value;
    return graph.things.length || story === this.story ? check(graph, this.task.rules) : [];
  }

  /** Pictures that are not begun may be left out, if enough others are done. */
  missing() {
    const begun = this.stories.filter(({ timeline }) => timeline.present.value.things.length).length;
    const { pictures } = this.task.rules;
    return begun < pictures ? [`Do at least ${pictures === 1 ? "one picture" : `${pictures} pictures`}.`] : [];
  }

  /** @param {Story} story */
  bodyOf({ timeline }) {
    return toBody(timeline.present.value);
  }

  /** @param {SubmitEvent} event */
  submit(event) {
    // The picture that is open may be one that is left out.
    const begun = this.stories.findIndex(({ timeline }) => timeline.present.value.things.length);
    if (!this.graph.things.length && begun >= 0) this.go(begun);
    super.submit(event);
  }

  // ------------------------------------------------------------------ what is done

  /**
   * @param {Graph} graph
   * @param {string} said
   * @param {string} [kind]
   */
  apply(graph, said, kind) {
    if (graph === this.graph) return;
    this.step(graph, said, kind);
    this.render();
    this.save();
  }

  /** @param {Box} box */
  add(box) {
    const thing = fresh(this.graph, box);
    this.selected = thing.id;
    this.relating = { predicate: "", object: "" };
    this.apply(added(this.graph, thing), `Box ${thing.id} is drawn. Say what it is.`);
    this.panel.focusOn("name");
  }

  /** The way without a pointer: a box that is then moved by arrow keys. */
  addInTheMiddle() {
    const { width, height } = this.picture;
    const thing = fresh(this.graph, { x: Math.round(width / 3), y: Math.round(height / 3), w: Math.round(width / 3), h: Math.round(height / 3) });
    this.selected = thing.id;
    this.relating = { predicate: "", object: "" };
    const help = "Arrow keys move it, Enter goes to its corners, Escape to its name.";
    this.apply(added(this.graph, thing), `Box ${thing.id} is in the middle. ${help}`);
    this.stage.focus(thing.id);
  }

  /** @param {string} id */
  remove(id) {
    const thing = find(this.graph, id);
    if (!thing) return;
    this.selected = null;
    this.apply(removed(this.graph, id), `Removed: ${this.labelOf(thing)}, and what was said of it.`);
    this.panel.focusOn("new");
  }

  /**
   * @param {string} id
   * @param {Box} wanted
   * @param {string} [kind]
   */
  place(id, wanted, kind) {
    const thing = find(this.graph, id);
    const numbers = Object.values(wanted).every(Number.isFinite);
    const box = numbers ? fitted(inside(wanted, this.picture), this.picture) : null;
    if (!thing) return;
    if (!box || JSON.stringify(box) === JSON.stringify(thing.box)) return this.render();
    const graph = changed(this.graph, id, { box });
    this.apply(graph, `${this.labelOf(thing)}: ${box.w} by ${box.h} pixels at ${box.x}, ${box.y}.`, kind);
  }

  /**
   * @param {string} id
   * @param {string} name
   * @param {boolean} goOn to what the thing is like
   */
  name(id, name, goOn) {
    const thing = find(this.graph, id);
    if (thing && thing.name !== name) this.apply(changed(this.graph, id, { name }), `Thing ${id} is called ${name || "nothing"}.`);
    if (goOn) this.panel.focusOn("attribute");
  }

  /**
   * @param {string} id
   * @param {string} attribute
   */
  say(id, attribute) {
    const thing = find(this.graph, id);
    if (!thing || !attribute) return;
    if (thing.attributes.includes(attribute)) return this.render();
    const attributes = [...thing.attributes, attribute];
    this.apply(changed(this.graph, id, { attributes }), `${this.labelOf(thing)} is ${attribute}.`);
  }

  /**
   * @param {string} id
   * @param {string} attribute
   */
  unsay(id, attribute) {
    const thing = /** @type {Thing} */ (find(this.graph, id));
    const attributes = thing.attributes.filter((each) => each !== attribute);
    this.apply(changed(this.graph, id, { attributes }), `${this.labelOf(thing)} is not said to be ${attribute}.`);
    this.panel.focusOn("attribute");
  }

  /** @param {Relation} relation */
  relate(relation) {
    const subject = /** @type {Thing} */ (find(this.graph, relation.subject));
    this.relating = { predicate: "", object: relation.object };
    this.apply(related(this.graph, relation), `${this.labelOf(subject)} ${this.sentence(relation)}.`);
    this.render();
    this.panel.focusOn("relation");
  }

  /** @param {Relation} relation */
  unrelate(relation) {
    this.apply(unrelated(this.graph, relation), `Removed: ${this.sentence(relation)}.`);
    this.panel.focusOn("relation");
  }

  // ------------------------------------------------------------------ where one is

  /** @param {string | null} id */
  select(id) {
    if (id === this.selected) return;
    this.selected = id;
    this.relating = { predicate: "", object: "" };
    this.render();
  }

  /** @param {string} id */
  open(id) {
    this.select(id);
    this.panel.focusOn("name");
  }

  /** @param {number} place */
  go(place) {
    this.selected = null;
    super.go(place);
  }

  arrived() {
    if (!find(this.graph, this.selected)) this.selected = null;
  }

  // ------------------------------------------------------------------ what is seen

  build() {
    const canvas = html("div", { class: "canvas" }, this.stage.element);
    const work = html("div", { class: "work" }, canvas, this.foot);
    const side = html("div", { class: "side" }, this.panel.element);
    this.keepPicture = roving(this.pictures, "[role=tab]");
    this.nav.replaceChildren();
    this.root.append(this.refusal, this.pictures, this.head, html("div", { class: "table" }, work, side));
    this.root.classList.add("ready");
  }

  render() {
    this.renderFrame();
    this.nav.hidden = true;
    this.renderPictures();
    this.stage.render();
    this.panel.render();
  }

  renderPictures() {
    this.pictures.hidden = this.stories.length === 1;
    const focused = document.activeElement?.getAttribute("data-picture");
    this.pictures.replaceChildren(
      ...this.stories.map(({ picture, timeline }, place) => {
        const count = timeline.present.value.things.length;
        const label = `Picture ${place + 1}, ${count} ${count === 1 ? "thing" : "things"}`;
        const attributes = { type: "button", role: "tab", "aria-selected": String(place === this.current), "aria-label": label };
        return html(
          "button",
          { ...attributes, "data-picture": place, onclick: () => this.go(place) },
          html("img", { src: picture.url, alt: "" }),
          html("span", { "aria-hidden": "true" }, count ? String(count) : ""),
        );
      }),
    );
    this.keepPicture?.();
    if (focused) /** @type {HTMLElement | null} */ (this.pictures.querySelector(`[data-picture="${focused}"]`))?.focus();
  }
}

/**
 * @param {Picture} picture
 * @param {any} body
 * @returns {Story}
 */
function storyOf(picture, body) {
  return { picture, timeline: new Timeline({ value: fromBody(body), said: "" }) };
}

/**
 * @param {Picture} picture
 * @returns {Promise<Picture>}
 */
async function measured(picture) {
  if (picture.width && picture.height) return picture;
  const image = new Image();
  image.src = picture.url;
  await image.decode();
  return { ...picture, width: image.naturalWidth, height: image.naturalHeight };
}
