// Keeps what is being scored current; without this, the page has a link to look again.
const OFTEN = 1000;
const watched = document.querySelector("[data-watch]");

const found = (told) => (Array.isArray(told) ? told : told.submissions ?? [told]);
const waiting = (told) => found(told).filter((each) => each.state === "queued").length;

function say(told) {
  const bar = watched.querySelector("progress");
  const line = watched.querySelector("[data-say]");
  if (!bar || !line) return;
  bar.value = told.share;
  const words = told.doing ? `${told.doing[0].toUpperCase()}${told.doing.slice(1)}.` : told.ahead ? `${told.ahead} before it.` : "It is next.";
  if (line.textContent !== words) line.textContent = words;
}

async function watch(before) {
  let now = before;
  try {
    const answer = await fetch(watched.dataset.watch, { headers: { accept: "application/json" } });
    if (answer.ok) {
      const told = await answer.json();
      now = waiting(told);
      if (before !== null && now < before) {
        location.reload();
        return;
      }
      if (!Array.isArray(told)) say(told);
    }
  } catch {
    // The server is away for a moment; the next look may find it.
  }
  if (now !== 0 && !document.hidden) setTimeout(() => watch(now), OFTEN);
  else if (document.hidden) document.addEventListener("visibilitychange", () => watch(now), { once: true });
}

if (watched) watch(null);
