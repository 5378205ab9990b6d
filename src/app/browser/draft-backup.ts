import * as z from 'zod/mini'
import { SendDraft } from '#domain/draft.ts'
import { jsonItem } from './json-storage.ts'

/**
 * What somebody typed in the very last moment of a page, when the disk had no time left for it. The
 * send form takes it up when it opens next; whoever changes the draft in another way forgets it.
 */
export function draftBackup(account = 'guest') {
  const { get, set, remove: forget } = jsonItem(() => localStorage, `lastWords:${account}`)
  return {
    get: (): SendDraft | undefined => z.safeParse(SendDraft, get()).data,
    set: (draft: SendDraft): void => set(draft),
    forget,
  }
}
