// @ts-check
/** Dragging with mouse, pen or finger; Escape, or a lost pointer, calls it off. */

const THRESHOLD = 4; // pixels before a press is a drag

/**
 * @typedef {object} Drag
 * @property {(event: PointerEvent) => boolean | void} [start] false refuses
 * @property {(event: PointerEvent, from: PointerEvent) => void} move
 * @property {(event: PointerEvent) => void} end
 * @property {() => void} [cancel]
 */

/**
 * Follow the pointer that was pressed until it is let go.
 * @param {PointerEvent} pressed
 * @param {Drag} drag
 */
export function follow(pressed, drag) {
  const target = /** @type {Element} */ (pressed.currentTarget);
  let going = false;
  const scope = new AbortController();
  const { signal } = scope;

  const stop = (/** @type {boolean} */ finished, /** @type {PointerEvent | null} */ event) => {
    scope.abort();
    if (!going) return;
    if (finished && event) drag.end(event);
    else drag.cancel?.();
  };
  addEventListener(
    "pointermove",
    (event) => {
      if (event.pointerId !== pressed.pointerId) return;
      const far = Math.hypot(event.clientX - pressed.clientX, event.clientY - pressed.clientY);
      if (!going && far < THRESHOLD) return;
      if (!going) {
        if (drag.start?.(event) === false) return void scope.abort();
        going = true;
        swallowClick(target);
      }
      event.preventDefault();
      drag.move(event, pressed);
    },
    { signal },
  );
  addEventListener("pointerup", (event) => event.pointerId === pressed.pointerId && stop(true, event), { signal });
  addEventListener("pointercancel", () => stop(false, null), { signal });
  addEventListener("keydown", (event) => event.key === "Escape" && stop(false, null), { signal, capture: true });
}

/**
 * A drag that ends where it began would also be a click.
 * @param {Element} target
 */
function swallowClick(target) {
  const scope = new AbortController();
  const swallow = (/** @type {Event} */ event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  target.addEventListener("click", swallow, { capture: true, signal: scope.signal });
  addEventListener("pointerup", () => setTimeout(() => scope.abort()), { once: true });
}
