// @ts-check
/** One stop for the Tab key in a group of controls; arrow keys go from one to the next. */

/**
 * @param {HTMLElement} group
 * @param {string} selector of its controls
 * @param {object} [options]
 * @param {boolean} [options.follow] whether arriving also chooses, as with radio buttons and tabs
 */
export function roving(group, selector, { follow = false } = {}) {
  const controls = () => /** @type {HTMLElement[]} */ ([...group.querySelectorAll(selector)]);
  const mark = (/** @type {HTMLElement | undefined} */ chosen) => {
    const all = controls();
    const known = chosen ?? all.find((each) => isChosen(each)) ?? all[0];
    for (const each of all) each.tabIndex = each === known ? 0 : -1;
  };
  group.addEventListener("keydown", (event) => {
    const all = controls();
    const place = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const backwards = getComputedStyle(group).direction === "rtl";
    const next = all[target(event.key, place, all.length, backwards)];
    if (place < 0 || !next || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    mark(next);
    next.focus();
    if (follow) next.click();
  });
  group.addEventListener("focusin", (event) => {
    const found = /** @type {HTMLElement} */ (event.target).closest(selector);
    if (found) mark(/** @type {HTMLElement} */ (found));
  });
  mark(undefined);
  return () => mark(undefined);
}

/** @param {HTMLElement} control */
function isChosen(control) {
  return ["aria-checked", "aria-selected", "aria-current"].some((name) => control.getAttribute(name) === "true");
}

/**
 * @param {string} key
 * @param {number} place
 * @param {number} count
 * @param {boolean} backwards where one reads from right to left
 */
function target(key, place, count, backwards) {
  const [forth, back] = backwards ? ["ArrowLeft", "ArrowRight"] : ["ArrowRight", "ArrowLeft"];
  if (key === forth || key === "ArrowDown") return (place + 1) % count;
  if (key === back || key === "ArrowUp") return (place - 1 + count) % count;
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  return -1;
}
