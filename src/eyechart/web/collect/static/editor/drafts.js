// @ts-check
/** Drafts: what is not handed in yet is kept on the server, and in the browser while the server cannot be reached. */

const PAUSE = 700; // milliseconds without a change before a draft is sent

/**
 * @typedef {object} Saved
 * @property {"saved" | "conflict" | "failed"} state
 * @property {number} [revision]
 */

export class Drafts {
  /**
   * @param {object} options
   * @param {string} options.url where drafts are put; empty keeps them in the browser only
   * @param {number} options.revision of what the page was opened with
   * @param {string} options.token against requests from other sites
   * @param {(state: Saved["state"]) => void} options.told
   */
  constructor({ url, revision, token, told }) {
    this.url = url;
    this.revision = revision;
    this.token = token;
    this.told = told;
    this.key = `draft ${url || location.pathname}`;
    /** @type {string | null} */
    this.waiting = null;
    this.timer = 0;
    this.sending = false;
    this.stopped = false;
    addEventListener("pagehide", () => void this.send(true));
    document.addEventListener("visibilitychange", () => document.hidden && void this.send(true));
  }

  /** What the browser kept because it could not be sent, if the server has nothing newer. */
  kept() {
    const text = read(this.key);
    if (!text) return null;
    const { revision, body } = JSON.parse(text);
    return revision === this.revision ? body : null;
  }

  /**
   * Save soon.
   * @param {unknown} body
   */
  later(body) {
    if (this.stopped) return;
    this.waiting = JSON.stringify(body);
    write(this.key, `{"revision":${this.revision},"body":${this.waiting}}`);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.send(), PAUSE);
  }

  /** After handing in there is nothing to keep. */
  stop() {
    this.stopped = true;
    clearTimeout(this.timer);
    this.waiting = null;
    write(this.key, null);
  }

  /** @param {boolean} [leaving] */
  async send(leaving = false) {
    if (this.stopped || !this.url || this.waiting === null || this.sending) return;
    const body = this.waiting;
    this.waiting = null;
    this.sending = true;
    const state = await this.put(body, leaving);
    this.sending = false;
    if (state === "failed") {
      this.waiting ??= body;
      this.timer = setTimeout(() => void this.send(), PAUSE * 8);
    } else if (this.waiting !== null) {
      write(this.key, `{"revision":${this.revision},"body":${this.waiting}}`);
      this.timer = setTimeout(() => void this.send(), PAUSE);
    } else write(this.key, null);
    if (state === "conflict") this.stop();
    this.told(state);
  }

  /**
   * @param {string} body
   * @param {boolean} leaving
   * @returns {Promise<Saved["state"]>}
   */
  async put(body, leaving) {
    const text = `{"revision":${this.revision},"body":${body}}`;
    try {
      const answer = await fetch(this.url, {
        method: "PUT",
        headers: { "content-type": "application/json", "x-csrf-token": this.token },
        body: text,
        // Browsers let a page that is left send 64 kB; what is larger stays in the browser until the page is opened.
        keepalive: leaving && text.length < 60_000,
      });
      if (answer.status === 409) return "conflict";
      if (!answer.ok) return "failed";
      this.revision = (await answer.json()).revision;
      return "saved";
    } catch {
      return "failed";
    }
  }
}

/** @param {string} key */
function read(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // a browser that keeps nothing
  }
}

/**
 * @param {string} key
 * @param {string | null} text
 */
function write(key, text) {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // the server has it
  }
}
