// Points at things: whatever names a thing (a box, a row of the list, a word, a step) shows where it is everywhere else.
// Without this script everything is still there to read.
// @ts-check

const everywhere = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-thing]")]);
const pointed = document.getElementById("pointed");

/** @param {Element} element */
const things = (element) => (element.getAttribute("data-thing") || "").split(" ").filter(Boolean);

/** @param {Element | null} origin */
function show(origin) {
  const on = new Set(origin ? things(origin) : []);
  const row = everywhere.find((each) => each.matches("li") && on.has(things(each)[0]));
  const kin = new Set((row?.dataset.related || "").split(" ").filter(Boolean));
  for (const each of everywhere) {
    const own = things(each);
    each.classList.toggle("on", own.some((thing) => on.has(thing)));
    each.classList.toggle("kin", own.some((thing) => kin.has(thing) && !on.has(thing)));
  }
  if (pointed) pointed.textContent = row ? row.innerText.split("\n")[0] : "";
}

for (const each of everywhere) {
  each.addEventListener("pointerenter", () => show(each));
  each.addEventListener("pointerleave", () => show(null));
  each.addEventListener("focus", () => show(each));
  each.addEventListener("blur", () => show(null));
}

for (const button of document.querySelectorAll("[data-attention]")) {
  button.addEventListener("click", () => {
    const pressed = button.getAttribute("aria-pressed") !== "true";
    for (const other of document.querySelectorAll("[data-attention]")) {
      other.setAttribute("aria-pressed", String(pressed && other === button));
      document.getElementById(other.getAttribute("data-attention") || "")?.toggleAttribute("hidden", !(pressed && other === button));
    }
  });
}
