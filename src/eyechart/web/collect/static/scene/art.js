// @ts-check
/** The art, fetched from one place when it is first needed. */

/** @import {Atlas, Stencil} from "./types.js" */

export class Art {
  /**
   * @param {string} url
   * @param {Atlas} atlas
   */
  constructor(url, atlas) {
    this.url = url;
    this.atlas = atlas;
    /** @type {Map<string, Promise<Stencil>>} */
    this.asked = new Map();
    /** @type {Map<string, Stencil>} */
    this.here = new Map();
  }

  /**
   * @param {string} url
   * @returns {Promise<Art>}
   */
  static async open(url) {
    return new Art(url, await json(`${url}/atlas.json`));
  }

  /**
   * One piece or background; asked for once.
   * @param {string} name
   */
  load(name) {
    let asked = this.asked.get(name);
    if (!asked) {
      asked = json(`${this.url}/${encodeURIComponent(name)}.json`).then((stencil) => {
        this.here.set(name, stencil);
        return stencil;
      });
      asked.catch(() => this.asked.delete(name));
      this.asked.set(name, asked);
    }
    return asked;
  }

  /** @param {Iterable<string>} names */
  async loadAll(names) {
    await Promise.all([...new Set(names)].map((name) => this.load(name)));
  }

  /**
   * A piece that has been loaded.
   * @param {string} name
   * @returns {Stencil}
   */
  get(name) {
    const found = this.here.get(name);
    if (!found) throw new Error(`the art of ${name} is not loaded`);
    return found;
  }
}

/** @param {string} url */
async function json(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return answer.json();
}
