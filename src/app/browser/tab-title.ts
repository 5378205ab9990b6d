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
  if (document.visibilityState === 'visible') return
  if (unread === 0) document.addEventListener('visibilitychange', clearWhenSeen)
  unread += 1
  draw()
}

function clearWhenSeen() {
  if (document.visibilityState !== 'visible') return
  document.removeEventListener('visibilitychange', clearWhenSeen)
  unread = 0
  draw()
}
