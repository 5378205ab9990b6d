/** Uploads, logins and the like that are under way in this page. */
let underWay = 0

/** Counts `work` as under way until it ends, so that no update reloads the page in its middle. */
export async function during<T>(work: Promise<T>): Promise<T> {
  underWay += 1
  try {
    return await work
  } finally {
    underWay -= 1
  }
}

/** Whether a reload now would interrupt something being typed, sent or uploaded, or a question asked. */
export const isBusy = (): boolean =>
  underWay > 0 || isTyping() || document.querySelector('dialog[open]') !== null

/** A field in focus, or one elsewhere on the page that has been typed into. */
function isTyping(): boolean {
  if (document.activeElement?.matches('input, textarea, select')) return true
  return [
    ...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea'),
  ].some((field) => field.type !== 'file' && field.value !== field.defaultValue)
}
