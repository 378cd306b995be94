// @ts-check
/** A worker's form, made comfortable: drafts, the clock, time at work, suggestions, the grid of pictures. */

import { Drafts } from "./editor/drafts.js";

const IDLE = 60_000; // milliseconds without a sign of life, after which nobody is at it
const SOON = 120; // seconds before the end at which the clock raises its voice

const form = /** @type {HTMLFormElement} */ (document.getElementById("task"));
const saved = /** @type {HTMLElement} */ (document.querySelector("[data-saved]"));
const clock = /** @type {HTMLElement} */ (document.querySelector("[data-clock]"));
const own = new Set(["csrf", "revision", "active_seconds", "then"]);

// ------------------------------------------------------------------ drafts

/** What the form holds, as the server keeps it. */
const fields = () => {
  const pairs = [...new FormData(form)].filter(([name]) => !own.has(name));
  return Object.fromEntries(pairs);
};

const texts = {
  saved: "Draft saved",
  failed: "Not saved yet: the server cannot be reached. The draft is kept in this browser.",
  conflict: "This task was changed in another tab, so nothing more is saved here. Load the page again to see that.",
};

const revision = /** @type {HTMLInputElement} */ (form.elements.namedItem("revision"));
const drafts = new Drafts({
  url: form.dataset.draftUrl ?? "",
  revision: Number(revision.value),
  token: form.dataset.csrf ?? "",
  told: (state) => {
    saved.textContent = texts[state];
    saved.classList.toggle("soon", state !== "saved");
    revision.value = String(drafts.revision);
  },
});
restore(drafts.kept());
form.addEventListener("input", () => drafts.later(fields()));

// An unfinished drawing cannot be handed in, but it can be kept.
form.querySelector("[value=save]")?.addEventListener("click", async (event) => {
  event.preventDefault();
  drafts.later(fields());
  await drafts.send();
  location.assign(form.dataset.leave ?? "/work");
});

/** @param {Record<string, string> | null} kept what the browser kept while the server could not be reached */
function restore(kept) {
  for (const [name, value] of Object.entries(kept ?? {})) {
    if (name === "key") continue; // of the page that was here before
    const found = form.elements.namedItem(name);
    if (found instanceof RadioNodeList) found.value = value;
    else if (found instanceof HTMLInputElement && found.type === "checkbox") found.checked = true;
    else if (found instanceof HTMLInputElement || found instanceof HTMLTextAreaElement) found.value = value;
  }
}

// ------------------------------------------------------------------ once is enough

// On the window, so that an editor that refuses what is unfinished is heard first.
addEventListener("submit", (event) => {
  if (event.target !== form || event.defaultPrevented) return;
  if (form.dataset.sent) return event.preventDefault();
  form.dataset.sent = "yes";
  drafts.stop();
  setTimeout(() => delete form.dataset.sent, 5000);
});
addEventListener("pageshow", () => delete form.dataset.sent);

// ------------------------------------------------------------------ time

let lively = performance.now();
let active = 0;
let until = Date.parse(form.dataset.expires ?? "") || Infinity;
for (const sign of ["pointermove", "pointerdown", "keydown", "input", "scroll"]) {
  addEventListener(sign, () => { lively = performance.now(); }, { passive: true, capture: true });
}
const isActive = () => !document.hidden && performance.now() - lively < IDLE;
setInterval(() => {
  if (isActive()) active += 1;
  /** @type {HTMLInputElement} */ (form.elements.namedItem("active_seconds")).value = String(active);
  tell((until - Date.now()) / 1000);
}, 1000);

let told = "";
/** @param {number} left */
function tell(left) {
  const minutes = Math.floor(left / 60);
  const text = left <= 0
    ? "The time is over. What you hand in is kept all the same, unless somebody else has taken the task over."
    : left < SOON ? `${Math.ceil(left)} seconds left` : `${minutes} minutes left`;
  if (text === told) return;
  told = text;
  clock.textContent = text;
  clock.classList.toggle("soon", left < SOON);
  const warning = left < SOON && (left <= 0 || clock.getAttribute("role") !== "alert");
  if (warning) clock.setAttribute("role", "alert");
  else if (left >= SOON) clock.removeAttribute("role");
}

async function beat() {
  try {
    const answer = await fetch(form.dataset.beatUrl ?? "", { method: "POST", headers: { "X-CSRF-Token": form.dataset.csrf ?? "" } });
    if (answer.ok) until = Date.now() + 1000 * (await answer.json()).seconds;
    else if (answer.status === 410) clock.textContent = (await answer.json()).detail;
  } catch {
    // The next beat may come through.
  }
}
setInterval(() => { if (isActive()) void beat(); }, 45_000);
form.querySelector("[value=more]")?.addEventListener("click", (event) => {
  event.preventDefault();
  void beat().then(() => { told = ""; tell((until - Date.now()) / 1000); });
});

// ------------------------------------------------------------------ instructions stay as they were left

for (const details of /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("details[data-remembered]"))) {
  const key = details.dataset.remembered ?? "";
  if (localStorage.getItem(key) === "closed") details.open = false;
  details.addEventListener("toggle", () => localStorage.setItem(key, details.open ? "open" : "closed"));
}
form.addEventListener("submit", () => {
  // Who has done one knows how it goes; who wants to read it again opens it, and then it stays open.
  const key = `instructions ${form.dataset.study}`;
  if (!localStorage.getItem(key)) localStorage.setItem(key, "closed");
});
document.getElementById("mistakes")?.focus();

// ------------------------------------------------------------------ what one field needs

if (form.querySelector("[data-suggest]")) void import("./suggest.js");
if (form.querySelector("[data-grid]")) void import("./grid.js");
