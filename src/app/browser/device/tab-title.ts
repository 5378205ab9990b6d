let name = document.title
let unread = 0

const draw = () => {
  document.title = unread > 0 ? `(${unread}) ${name}` : name
}

/** Sets the tab's title, keeping the number of what happened while nobody looked. */
export function setTabTitle(next: string): void {
  name = next
  draw()
}

/** Counts one more announcement in the tab's title, until somebody looks at the page again. */
export function countInTitle(): void {
  if (isLookedAt()) return
  if (unread === 0) for (const event of returns) addEventListener(event, clearWhenSeen)
  unread += 1
  draw()
}

/** How a person comes back to the page. */
const returns = ['focus', 'visibilitychange'] as const

const isLookedAt = () => document.visibilityState === 'visible' && document.hasFocus()

function clearWhenSeen() {
  if (!isLookedAt()) return
  for (const event of returns) removeEventListener(event, clearWhenSeen)
  unread = 0
  draw()
}
