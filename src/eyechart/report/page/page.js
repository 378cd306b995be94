// What a mark stands for, beside the pointer.
const tip = document.getElementById("tip");
document.addEventListener("pointermove", (event) => {
  const mark = event.target.closest?.("[data-tip]");
  tip.hidden = !mark;
  if (!mark) return;
  tip.textContent = mark.dataset.tip;
  const { width, height } = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(4, Math.min(event.clientX + 14, innerWidth - width - 4))}px`;
  tip.style.top = `${event.clientY - height - 10 < 4 ? event.clientY + 18 : event.clientY - height - 10}px`;
});
document.addEventListener("pointerleave", () => { tip.hidden = true; });
