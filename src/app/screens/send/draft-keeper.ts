import { useMemo } from 'react'
import type { SendDraft } from '#domain/draft.ts'
import { useSoma } from '../../soma.ts'

/**
 * Saves the draft as it is typed. One write at a time, and of what was typed during one only the
 * last: a slow disk never falls behind the fingers.
 */
export function useDraftKeeper() {
  const { commands } = useSoma()
  return useMemo(() => {
    let next: SendDraft | undefined
    let writing: Promise<void> | undefined
    const write = async () => {
      while (next) {
        const draft = next
        next = undefined
        await commands.saveDraft(draft)
      }
    }
    return {
      keep(draft: SendDraft) {
        next = draft
        writing ??= write()
          // What cannot be saved stays on the screen; submitting says what is wrong.
          .catch(() => {})
          .finally(() => {
            writing = undefined
          })
      },
      /** Nothing more is saved; resolves when no write is under way. */
      async stop() {
        next = undefined
        await writing
      },
    }
  }, [commands])
}
