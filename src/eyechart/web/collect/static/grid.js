// @ts-check
/** The grid of near pictures: arrow keys go in two directions, and more pictures come when somebody asks for them. */

for (const grid of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-grid]"))) start(grid);

/** @param {HTMLElement} grid */
function start(grid) {
  const seen = /** @type {HTMLInputElement} */ (grid.parentElement?.querySelector("input[name$='.seen']"));
  const later = /** @type {HTMLElement[]} */ ([...grid.querySelectorAll("[data-later]")]);
  const shown = () => /** @type {HTMLElement[]} */ ([...grid.children]).filter((each) => !each.hidden);
  const isPickedLater = later.some((each) => each.querySelector("input")?.checked);
  if (later.length && !isPickedLater) hideLater();
  else seen.value = String(shown().length);

  function hideLater() {
    for (const each of later) each.hidden = true;
    seen.value = String(shown().length);
    const more = document.createElement("button");
    more.type = "button";
    more.className = "quiet";
    more.textContent = `Show ${later.length} more pictures`;
    more.addEventListener("click", () => {
      for (const each of later) each.hidden = false;
      seen.value = String(shown().length);
      seen.dispatchEvent(new Event("input", { bubbles: true }));
      later[0].querySelector("input")?.focus();
      more.remove();
    });
    grid.after(more);
  }

  grid.addEventListener("keydown", (event) => {
    const places = shown();
    const at = places.findIndex((each) => each.contains(document.activeElement));
    if (at < 0) return;
    const columns = getComputedStyle(grid).gridTemplateColumns.split(" ").length;
    const forward = getComputedStyle(grid).direction === "rtl" ? -1 : 1;
    const steps = { ArrowUp: -columns, ArrowDown: columns, ArrowLeft: -forward, ArrowRight: forward };
    const to = event.key === "Home" ? 0 : event.key === "End" ? places.length - 1 : at + (steps[/** @type {keyof typeof steps} */ (event.key)] ?? NaN);
    if (!(to >= 0 && to < places.length)) {
      if (event.key in steps) event.preventDefault();
      return;
    }
    event.preventDefault();
    const input = /** @type {HTMLInputElement} */ (places[to].querySelector("input"));
    input.checked = true;
    input.focus();
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
}
