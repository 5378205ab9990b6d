import { jsonItem } from '../json-storage.ts'

/** Set while the page is reloaded to let a new version in that the person has asked for. */
const intent = jsonItem(() => sessionStorage, 'update-now')

export const keepUpdateIntent = (): void => intent.set(true)

/** Whether this page was reloaded to activate a new version. True for the first call only. */
export function takeUpdateIntent(): boolean {
  const isKept = intent.get() === true
  intent.remove()
  return isKept
}
