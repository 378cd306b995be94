// @ts-check
/** Elements in one call. */

/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes */
/** @typedef {Node | string | null | undefined | false} Child */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An HTML element; a member that begins with "on" listens, true writes an empty attribute, false and null none.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function html(tag, attributes = {}, ...children) {
  return dressed(document.createElement(tag), attributes, children);
}

/**
 * An SVG element, likewise.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function svg(tag, attributes = {}, ...children) {
  return dressed(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * @template {Element} E
 * @param {E} element
 * @param {Attributes} attributes
 * @param {Child[]} children
 * @returns {E}
 */
function dressed(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(.../** @type {(Node | string)[]} */ (children.filter((child) => child)));
  return element;
}

/**
 * A small drawing of one colour: the text's.
 * @param {string} path
 */
export function icon(path) {
  const attributes = { viewBox: "0 0 20 20", class: "icon", "aria-hidden": "true", focusable: "false" };
  return svg("svg", attributes, svg("path", { d: path }));
}
