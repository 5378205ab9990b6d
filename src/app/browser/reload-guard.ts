/** Uploads, logins and the like that are under way in this page. */
let underWay = 0
/** Entries of the outbox on their way to the server. */
let sending = 0

/** Counts `work` as under way until it ends, so that no update reloads the page in its middle. */
export async function during<T>(work: Promise<T>): Promise<T> {
  underWay += 1
  try {
    return await work
  } finally {
    underWay -= 1
  }
}

export function noteSending(entries: number): void {
  sending = entries
}

/** Whether a reload now would interrupt something being sent, uploaded or asked. */
export const isBusy = (): boolean =>
  underWay > 0 || sending > 0 || document.querySelector('dialog[open]') !== null
