// @ts-check
/** What can be taken back: states that are never changed, only followed by others. */

const TOGETHER = 1000; // milliseconds within which steps of one kind are one step

/** @template T */
export class Timeline {
  /** @param {T} present */
  constructor(present) {
    this.present = present;
    /** @type {T[]} */
    this.past = [];
    /** @type {T[]} */
    this.future = [];
    this.kind = "";
    this.last = 0;
  }

  /**
   * Go on to a state; steps of one kind that follow each other quickly, such as arrow keys, are taken back together.
   * @param {T} next
   * @param {string} [kind]
   * @returns {boolean} whether it went on with the last step
   */
  step(next, kind = "") {
    const now = Date.now();
    const goesOn = kind !== "" && kind === this.kind && now - this.last < TOGETHER && this.past.length > 0;
    if (!goesOn) this.past.push(this.present);
    this.present = next;
    this.future = [];
    this.kind = kind;
    this.last = now;
    return goesOn;
  }

  /** Whether there was something to take back. */
  undo() {
    const before = this.past.pop();
    if (before === undefined) return false;
    this.future.push(this.present);
    this.present = before;
    this.kind = "";
    return true;
  }

  /** Whether there was something to do again. */
  redo() {
    const after = this.future.pop();
    if (after === undefined) return false;
    this.past.push(this.present);
    this.present = after;
    this.kind = "";
    return true;
  }
}
