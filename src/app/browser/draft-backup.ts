import * as z from 'zod/mini'
import { SendDraft } from '#domain/deliveries/draft.ts'
import { jsonItem } from './json-storage.ts'

/**
 * A copy of the send draft in local storage, written when a page is hidden before IndexedDB has saved the
 * draft. The send form restores it when it next opens; every other change of the draft removes it.
 */
export function draftBackup(account = 'guest') {
  const { get, set, remove } = jsonItem(() => localStorage, `lastWords:${account}`)
  return {
    get: (): SendDraft | undefined => z.safeParse(SendDraft, get()).data,
    set: (draft: SendDraft): void => set(draft),
    remove,
  }
}
