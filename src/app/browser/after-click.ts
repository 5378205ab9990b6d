/** A mouse button, pen or finger is down on the page. */
let isPointerDown = false
addEventListener('pointerdown', () => setPointerDown(true), true)
addEventListener('pointerup', () => setPointerDown(false), true)
addEventListener('pointercancel', () => setPointerDown(false), true)

function setPointerDown(down: boolean) {
  isPointerDown = down
}

/**
 * Runs `work` once the press under way has become its click. What a blur shows may move the very
 * button that is being pressed, and a button that moves between press and release is not clicked.
 */
export function afterClick(work: () => void): void {
  // Of a tap, blur and click come in one task after the finger has gone: a later task is enough.
  if (!isPointerDown) setTimeout(work)
  else addEventListener('pointerup', () => setTimeout(work), { once: true })
}
