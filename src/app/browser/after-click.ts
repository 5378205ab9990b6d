/** Whether a mouse button, pen or finger is down on the page. */
let isPointerDown = false
addEventListener('pointerdown', () => setPointerDown(true), true)
addEventListener('pointerup', () => setPointerDown(false), true)
addEventListener('pointercancel', () => setPointerDown(false), true)

function setPointerDown(down: boolean) {
  isPointerDown = down
}

/**
 * Runs `work` after the click that is in progress, or in a later task when there is none. An error message
 * shown on blur may move the button under the pointer, and a button that moves between press and release
 * gets no click.
 */
export function afterClick(work: () => void): void {
  // On a tap, blur and click follow in one task after the finger is lifted.
  if (!isPointerDown) setTimeout(work)
  else addEventListener('pointerup', () => setTimeout(work), { once: true })
}
