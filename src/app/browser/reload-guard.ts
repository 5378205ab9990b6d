/** Uploads, logins and the like that are under way in this page. */
let activeTasks = 0
/** Entries of the outbox on their way to the server. */
let sendingEntries = 0

/** Counts `work` as under way until it ends, so that no update reloads the page in its middle. */
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

/** Whether a reload now would interrupt something being sent, uploaded or asked. */
export const isBusy = (): boolean =>
  activeTasks > 0 || sendingEntries > 0 || document.querySelector('dialog[open]') !== null
