/** A mouse button, pen or finger is down on the page. */
let pressed = false
addEventListener('pointerdown', () => setPressed(true), true)
addEventListener('pointerup', () => setPressed(false), true)
addEventListener('pointercancel', () => setPressed(false), true)

function setPressed(down: boolean) {
  pressed = down
}

/**
 * Runs `work` once the press under way has become its click. What a blur shows may move the very
 * button that is being pressed, and a button that moves between press and release is not clicked.
 */
export function afterPress(work: () => void): void {
  // Of a tap, blur and click come in one task after the finger has gone: a later task is enough.
  if (!pressed) setTimeout(work)
  else addEventListener('pointerup', () => setTimeout(work), { once: true })
}
