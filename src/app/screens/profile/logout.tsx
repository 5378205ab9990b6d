import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { attempt } from '../../browser/attempt.ts'
import { draftBackup } from '../../browser/draft-backup.ts'
import { blockReload } from '../../browser/update/reload-guard.ts'
import { Button } from '../../components/forms/button.tsx'
import { useSoma } from '../../hooks/use-soma.ts'
import { useVisitor } from '../../hooks/use-visitor.ts'
import { paths } from '../../paths.ts'
import { type Toast, toast } from '../../toasts.ts'
import { type Choice, LogoutQuestion } from './logout-question.tsx'

/** Logs out, and asks first what to do with what was not sent. */
export function Logout() {
  const { session } = useSoma()
  const navigate = useNavigate()
  const { user } = useVisitor()
  const [unsent, setUnsent] = useState<number>()
  const [busy, setBusy] = useState(false)
  const leave = async (choice: Choice, shown: string[] = []) => {
    setBusy(true)
    await attempt('Error', async () => {
      navigate(paths.home)
      const inDoubt = await blockReload(session.logout(choice, shown))
      if (choice === 'discard') draftBackup(user?.ID).remove()
      toast(inDoubt.length === 0 ? loggedOut : notTakenBack(inDoubt))
    })
    setBusy(false)
  }
  const ask = async () => {
    const waiting = await session.unsentCount()
    if (waiting > 0) setUnsent(waiting)
    else await leave('keep')
  }
  return (
    <>
      <Button look="line" disabled={busy} onClick={ask}>
        Logout
      </Button>
      {unsent !== undefined && (
        <LogoutQuestion
          count={unsent}
          busy={busy}
          onChoice={leave}
          onClose={() => setUnsent(undefined)}
        />
      )}
    </>
  )
}

const loggedOut = { title: 'Logged out', text: 'See you soon.' }

/** How many titles the toast names. */
const named = 3

/** What may still be with the server after everything was discarded (S56). */
function notTakenBack(titles: readonly string[]): Toast {
  const first = titles.slice(0, named).map((title) => `“${title}”`)
  const more = titles.length - first.length
  const names = [...first, ...(more > 0 ? [`${more} more`] : [])]
  return {
    title: 'Logged out, but not everything was cancelled',
    text: `${new Intl.ListFormat('en-GH').format(names)} may have arrived. Log in again to see.`,
    destructive: true,
    late: true,
  }
}
