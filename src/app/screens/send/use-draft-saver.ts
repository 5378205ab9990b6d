import { useEffect, useMemo } from 'react'
import type { SendDraft } from '#domain/deliveries/draft.ts'
import type { Soma } from '#store/open.ts'
import { note } from '#sync/database/device/diagnostics.ts'
import { isQuotaExceeded } from '#sync/database/with-eviction.ts'
import { toastFullPhone } from '../../browser/attempt.ts'
import { draftBackup } from '../../browser/draft-backup.ts'
import { useSoma } from '../../hooks/use-soma.ts'
import { useVisitor } from '../../hooks/use-visitor.ts'

/**
 * Saves the draft as it is typed: one write at a time, then the latest draft. When the page is hidden
 * during a write, the unsaved draft goes to local storage, which writes synchronously.
 */
export function useDraftSaver() {
  const { commands } = useSoma()
  const account = useVisitor().user?.ID
  const saver = useMemo(() => createDraftSaver(commands, account), [commands, account])
  useEffect(() => {
    const unsaved = saver.restore()
    if (unsaved) saver.save(unsaved)
    addEventListener('pagehide', saver.backUp)
    return () => {
      saver.backUp()
      removeEventListener('pagehide', saver.backUp)
    }
  }, [saver])
  return saver
}

function createDraftSaver(commands: Soma['commands'], account: string | undefined) {
  const backup = draftBackup(account)
  let unsaved: SendDraft | undefined
  let writing: Promise<void> | undefined
  let saidFull = false
  /** Says once that the phone is full, until a draft could be saved again. */
  const reportUnsaved = (error: unknown) => {
    note('A draft could not be saved', { error })
    if (saidFull || !isQuotaExceeded(error)) return
    saidFull = true
    toastFullPhone()
  }
  const write = async () => {
    for (let draft = unsaved; draft; draft = unsaved) {
      await commands.saveDraft(draft)
      saidFull = false
      backup.remove()
      if (unsaved === draft) unsaved = undefined
    }
  }
  return {
    /** The draft that the previous page could not save. */
    restore: backup.get,
    /** Never rejects: an unsaved draft stays on the screen, and submitting it reports the error. */
    save(draft: SendDraft) {
      unsaved = draft
      writing ??= write()
        .catch(reportUnsaved)
        .finally(() => {
          writing = undefined
        })
    },
    /** Resolves when what was typed last is saved, or could not be. */
    async settle() {
      await writing
    },
    backUp() {
      if (unsaved) backup.set(unsaved)
    },
  }
}
