/** Uploads, logins and other tasks of this page that a reload would break off. */
let activeTasks = 0
/** Outbox entries that are being sent. */
let sendingEntries = 0

/** Keeps an update from reloading the page until `work` has settled (R83). Settles as `work` does. */
export async function blockReload<T>(work: Promise<T>): Promise<T> {
  activeTasks += 1
  try {
    return await work
  } finally {
    activeTasks -= 1
  }
}

export function setSendingEntries(entries: number): void {
  sendingEntries = entries
}

/** Whether a reload would break off a task, a send or an open dialog (R83). */
export const isBusy = (): boolean =>
  activeTasks > 0 || sendingEntries > 0 || document.querySelector('dialog[open]') !== null
