import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { attempt } from '../../browser/attempt.ts'
import { draftBackup } from '../../browser/draft-backup.ts'
import { blockReload } from '../../browser/reload-guard.ts'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { Button } from '../../components/forms/button.tsx'
import { useSoma } from '../../hooks/use-soma.ts'
import { useVisitor } from '../../hooks/use-visitor.ts'
import { paths } from '../../paths.ts'
import { toast } from '../../shell/toasts.ts'

type Choice = 'send' | 'keep' | 'discard'

/** Leaves the account; what has not reached the server is the person's to decide about. */
export function Logout() {
  const { session } = useSoma()
  const navigate = useNavigate()
  const { user } = useVisitor()
  const [unsent, setUnsent] = useState<number>()
  const [busy, setBusy] = useState(false)
  const leave = async (choice: Choice) => {
    setBusy(true)
    await attempt('Error', async () => {
      navigate(paths.home)
      await blockReload(session.logout(choice))
      if (choice === 'discard') draftBackup(user?.ID).forget()
      toast({ title: 'Logged out', text: 'See you soon.' })
    })
    setBusy(false)
  }
  const ask = async () => {
    const waiting = await session.unsentCount()
    if (waiting > 0) setUnsent(waiting)
    else await leave('keep')
  }
  const things = `${unsent} saved item${unsent === 1 ? '' : 's'}`
  return (
    <>
      <Button look="line" disabled={busy} onClick={ask}>
        Logout
      </Button>
      {unsent !== undefined && (
        <Dialog title={`${things} not sent yet`} onClose={() => setUnsent(undefined)}>
          <p className="text-soft">
            They are sent only under your account. What should happen to them?
          </p>
          <div className="grid gap-2">
            <Button disabled={busy} onClick={() => leave('send')}>
              Try to send, then log out
            </Button>
            <Button look="line" disabled={busy} onClick={() => leave('keep')}>
              Keep them for my next login
            </Button>
            <Button look="clay" disabled={busy} onClick={() => leave('discard')}>
              Discard {things}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  )
}
