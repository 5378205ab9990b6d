import { useEffect, useMemo } from 'react'
import type { SendDraft } from '#domain/draft.ts'
import { draftBackup } from '../../browser/draft-backup.ts'
import { useSoma } from '../../hooks/use-soma.ts'
import { useVisitor } from '../../hooks/use-visitor.ts'

/**
 * Saves the draft as it is typed. One write at a time, and of what was typed during one only the
 * last: a slow disk never falls behind the fingers. A page that goes while one is under way leaves
 * its last words where the browser writes at once.
 */
export function useDraftSaver() {
  const { commands } = useSoma()
  const account = useVisitor().user?.ID
  const keeper = useMemo(() => {
    const lastWords = draftBackup(account)
    let unsaved: SendDraft | undefined
    let writing: Promise<void> | undefined
    const write = async () => {
      for (let draft = unsaved; draft; draft = unsaved) {
        await commands.saveDraft(draft)
        lastWords.forget()
        if (unsaved === draft) unsaved = undefined
      }
    }
    return {
      /** What the page before this one had no time to save. */
      left: lastWords.get,
      keep(draft: SendDraft) {
        unsaved = draft
        writing ??= write()
          // What cannot be saved stays on the screen; submitting says what is wrong.
          .catch(() => {})
          .finally(() => {
            writing = undefined
          })
      },
      /** Nothing more is saved; resolves when no write is under way. */
      async stop() {
        unsaved = undefined
        await writing
        lastWords.forget()
      },
      /** The page goes, now. */
      leave() {
        if (unsaved) lastWords.set(unsaved)
      },
    }
  }, [commands, account])

  useEffect(() => {
    const left = keeper.left()
    if (left) keeper.keep(left)
    addEventListener('pagehide', keeper.leave)
    return () => removeEventListener('pagehide', keeper.leave)
  }, [keeper])
  return keeper
}
