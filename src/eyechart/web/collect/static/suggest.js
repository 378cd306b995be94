// @ts-check
/** Words of the vocabulary that come near to what is being written: buttons below the field, never forced on anybody. */

for (const field of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-suggest]"))) offer(field);

/** @param {HTMLElement} field */
function offer(field) {
  const input = /** @type {HTMLInputElement} */ (field.querySelector("input[type=text]"));
  const offered = /** @type {HTMLInputElement} */ (field.querySelector("input[type=hidden]"));
  const list = document.createElement("ul");
  const status = document.createElement("span");
  list.className = "suggestions";
  list.setAttribute("aria-label", `Suggestions for ${field.querySelector("label")?.textContent ?? ""}`);
  status.className = "unseen";
  status.setAttribute("role", "status");
  field.append(list, status);
  let timer = 0;
  let asked = "";

  async function ask() {
    const text = input.value.trim();
    if (text === asked) return;
    asked = text;
    const url = new URL(field.dataset.suggest ?? "", location.href);
    url.searchParams.set("text", text);
    const words = text ? await fetch(url, { headers: { Accept: "application/json" } }).then((answer) => (answer.ok ? answer.json() : [])).catch(() => []) : [];
    if (text !== input.value.trim()) return;
    offered.value = words.join("\n");
    list.replaceChildren(...words.map(item));
    status.textContent = words.length ? `${words.length} suggestions below` : "";
  }

  /** @param {string} word */
  function item(word) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = word;
    button.addEventListener("click", () => {
      input.value = asked = word;
      list.replaceChildren();
      input.focus();
      input.dispatchEvent(new Event("input", { bubbles: true }));
    });
    const entry = document.createElement("li");
    entry.append(button);
    return entry;
  }

  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => void ask(), 150);
  });
}
