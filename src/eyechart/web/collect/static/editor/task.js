// @ts-check
/**
 * What every editor does around its work: pictures of one task, undo and redo, rules, handing in.
 *
 * An editor stands in a form. For each picture of the task the form has a hidden field with what was made of it so far;
 * the editor reads these fields when it opens, and writes them, with an event "input", whenever something changes. The
 * page keeps drafts of the form, as of any other.
 */

import { html, icon } from "./dom.js";
import { ICONS } from "./icons.js";
import { Live } from "./live.js";
import { Timeline } from "./timeline.js";

/**
 * @typedef {object} Rule
 * @property {string} id
 * @property {boolean} met
 * @property {string} text
 * @property {string} missing what to do, as a sentence
 */
/**
 * @template Value
 * @typedef {{value: Value, said: string}} State what somebody made, and what made it so
 */
/**
 * @template Value
 * @typedef {{timeline: Timeline<State<Value>>}} Story one picture of a task
 */

/**
 * @template Value
 * @template {Story<Value>} S
 */
export class TaskEditor {
  /**
   * @param {HTMLElement} root
   * @param {S[]} stories
   */
  constructor(root, stories) {
    this.root = root;
    this.stories = stories;
    this.current = 0;
    this.live = new Live();
    this.form = root.closest("form");
    this.fields = /** @type {HTMLInputElement[]} */ ([...root.querySelectorAll("input[data-body]")]);
    this.refusal = html("div", { class: "refusal", role: "alert", tabindex: -1, hidden: true });
    this.checklist = html("ul", { class: "rules", "aria-label": "What the picture needs" });
    this.question = html("p", { class: "question" });
    this.undo = this.button("undo", "Undo", () => this.travel("undo"), "Ctrl+Z");
    this.redo = this.button("redo", "Redo", () => this.travel("redo"), "Ctrl+Shift+Z");
    this.history = html("div", { class: "history" }, this.undo, this.redo);
    this.previous = this.button("previous", "Previous picture", () => this.go(this.current - 1));
    this.next = this.button("next", "Next picture", () => this.go(this.current + 1));
    this.counter = html("span", { class: "place" });
    const pictures = { class: "pictures", role: "group", "aria-label": "Pictures of this task" };
    this.nav = html("div", pictures, this.previous, this.counter, this.next);
    this.head = html("div", { class: "head" }, this.nav, this.checklist, this.history);
    this.foot = html("div", { class: "foot" }, this.live.element);
    root.addEventListener("keydown", (event) => this.shortcut(event));
    root.addEventListener("keydown", keepFromSending);
    this.form?.addEventListener("submit", (event) => this.submit(event));
  }

  // ------------------------------------------------------------------ what each editor says of itself

  /** Draw everything anew. */
  render() {
    throw new Error("not drawn");
  }

  /**
   * What is handed in for a picture; null if it was left out.
   * @param {S} _story
   * @returns {unknown}
   */
  bodyOf(_story) {
    return null;
  }

  /**
   * @param {S} _story
   * @returns {Rule[]}
   */
  rulesOf(_story) {
    return [];
  }

  /** What else has to be so before the task can be handed in, as sentences. */
  missing() {
    return /** @type {string[]} */ ([]);
  }

  /** Called when the picture, or what is in it, is another one. */
  arrived() {}

  /**
   * @param {"undo" | "redo"} _way
   */
  travelled(_way) {}

  // ------------------------------------------------------------------ states

  get story() {
    return this.stories[this.current];
  }

  get value() {
    return this.story.timeline.present.value;
  }

  /**
   * Go on; whether it went on with the last step, such as the arrow key before.
   * @param {Value} value
   * @param {string} said
   * @param {string} [kind] of steps that are taken back together
   */
  step(value, said, kind) {
    const goesOn = this.story.timeline.step({ value, said }, kind);
    this.live.say(said);
    return goesOn;
  }

  /** @param {"undo" | "redo"} way */
  travel(way) {
    const { timeline } = this.story;
    const undone = timeline.present.said;
    if (!timeline[way]()) {
      return this.live.say(way === "undo" ? "There is nothing to take back." : "There is nothing to do again.");
    }
    this.travelled(way);
    this.arrived();
    this.live.say(way === "undo" ? `Taken back: ${undone}` : `Done again: ${timeline.present.said}`);
    this.render();
    this.save();
  }

  /** Write the form's fields. */
  write() {
    this.stories.forEach((story, place) => {
      const body = this.bodyOf(story);
      this.fields[place].value = body ? JSON.stringify(body) : "";
    });
  }

  /** Write them and say so, for the page that keeps drafts. */
  save() {
    this.write();
    this.fields[this.current].dispatchEvent(new Event("input", { bubbles: true }));
  }

  /** @param {number} place */
  go(place) {
    this.current = place;
    this.arrived();
    this.render();
    this.live.say(`Picture ${place + 1} of ${this.stories.length}.`);
  }

  /** @param {KeyboardEvent} event */
  shortcut(event) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || isTyping(event.target)) return;
    const key = event.key.toLowerCase();
    if (key !== "z" && key !== "y") return;
    event.preventDefault();
    this.travel(key === "y" || event.shiftKey ? "redo" : "undo");
  }

  // ------------------------------------------------------------------ handing in

  /** @param {SubmitEvent} event */
  submit(event) {
    const unmet = this.stories.map((story, place) =>
      this.excused(place) ? [] : this.rulesOf(story).filter(({ met }) => !met),
    );
    const first = unmet.findIndex((rules) => rules.length);
    const others = this.missing();
    if (this.keptForLater(event) || (first < 0 && !others.length)) return this.write();
    event.preventDefault();
    event.stopImmediatePropagation();
    if (first >= 0 && first !== this.current) this.go(first);
    const which = first >= 0 && this.stories.length > 1 ? `Picture ${first + 1}` : "The picture";
    const sentences = first >= 0 ? unmet[first].map(({ missing }) => missing) : others;
    this.refusal.replaceChildren(
      html("strong", {}, `${which} is not finished`),
      html("ul", {}, ...sentences.map((sentence) => html("li", {}, sentence))),
    );
    this.refusal.hidden = false;
    this.refusal.focus();
  }

  /**
   * A button of the form may only keep it as it is.
   * @param {SubmitEvent} event
   */
  keptForLater({ submitter }) {
    return submitter instanceof HTMLElement && submitter.hasAttribute("data-unfinished");
  }

  /**
   * Whether the form says that a picture cannot be done: then it need not be finished.
   * @param {number} place
   */
  excused(place) {
    const unit = this.fields[place].name.split(".")[0];
    const chosen = /** @type {HTMLInputElement[]} */ ([...(this.form?.querySelectorAll("[data-excuses]:checked") ?? [])]);
    return chosen.some(({ name }) => name.startsWith(`${unit}.`));
  }

  // ------------------------------------------------------------------ what is seen

  /**
   * @param {keyof typeof ICONS} name
   * @param {string} label
   * @param {() => void} action
   * @param {string} [shortcut]
   */
  button(name, label, action, shortcut) {
    const title = shortcut ? `${label} (${shortcut})` : label;
    const listener = (/** @type {Event} */ event) => {
      if (/** @type {Element} */ (event.currentTarget).getAttribute("aria-disabled") !== "true") action();
    };
    const attributes = { type: "button", class: "plain", "aria-label": label, title, onclick: listener };
    return html("button", attributes, icon(ICONS[name]));
  }

  renderFrame() {
    const { timeline } = this.story;
    this.nav.toggleAttribute("hidden", this.stories.length === 1);
    this.counter.textContent = `Picture ${this.current + 1} of ${this.stories.length}`;
    for (const [button, possible] of /** @type {[HTMLElement, boolean][]} */ ([
      [this.undo, timeline.past.length > 0],
      [this.redo, timeline.future.length > 0],
      [this.previous, this.current > 0],
      [this.next, this.current < this.stories.length - 1],
    ])) {
      button.setAttribute("aria-disabled", String(!possible));
    }
    const rules = this.rulesOf(this.story);
    this.checklist.replaceChildren(...rules.map(ruleItem));
    if (rules.every(({ met }) => met)) this.refusal.hidden = true;
  }
}

/**
 * What the form's fields hold, one for each picture; null where nothing was made yet.
 * @param {HTMLElement} root
 * @returns {any[]}
 */
export function written(root) {
  const fields = /** @type {NodeListOf<HTMLInputElement>} */ (root.querySelectorAll("input[data-body]"));
  return [...fields].map(({ value }) => (value ? JSON.parse(value) : null));
}

/**
 * What the page says of the task.
 * @param {HTMLElement} root
 * @returns {any}
 */
export function taskOf(root) {
  return JSON.parse(root.querySelector("script[type='application/json']")?.textContent ?? "{}");
}

/** @param {Rule} rule */
function ruleItem({ met, text }) {
  const state = html("span", { class: "hidden" }, met ? "done: " : "open: ");
  return html("li", { class: met ? "met" : "" }, icon(met ? ICONS.done : ICONS.open), state, text);
}

/**
 * Enter in a field would hand the whole task in; here it only says that the field is filled.
 * @param {KeyboardEvent} event
 */
function keepFromSending(event) {
  if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
  event.preventDefault();
  if (event.target.type === "number") event.target.dispatchEvent(new Event("change"));
}

/**
 * Fields take back what is typed themselves.
 * @param {EventTarget | null} target
 */
function isTyping(target) {
  return target instanceof HTMLInputElement && ["text", "search", "number"].includes(target.type) && target.value !== "";
}
