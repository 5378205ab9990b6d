import { useNavigate } from 'react-router-dom'
import { discardPreview } from '#store/queries/outbox/discard-preview.ts'
import { syncStatus } from '#store/queries/queries.ts'
import { draftBackup } from '../../../browser/draft-backup.ts'
import { blockReload } from '../../../browser/update/reload-guard.ts'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { Button } from '../../../components/forms/button.tsx'
import { PasswordField } from '../../../components/forms/fields.tsx'
import { useForm } from '../../../hooks/forms/use-form.ts'
import { useLive, useOwn } from '../../../hooks/use-live.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { useVisitor } from '../../../hooks/use-visitor.ts'
import { paths } from '../../../paths.ts'
import { entryTitle } from '../../../texts/outbox-texts.ts'
import { toast } from '../../../toasts.ts'

/** Asks for the password, and says before what is lost: also what was not sent (R216, S89). */
export function DeleteAccount({ email, onClose }: { email: string; onClose: () => void }) {
  const { session } = useSoma()
  const { user } = useVisitor()
  const navigate = useNavigate()
  const unsent = useOwn(discardPreview)
  const offline = useLive(syncStatus)?.reachable === false
  const { form, bind, busy, failure, submit, submitted, values } = useForm(
    { password: '' },
    ({ password }) => ({ password: password === '' ? 'Password is required.' : undefined }),
  )
  const erase = () =>
    submitted('Not deleted', async () => {
      await blockReload(session.deleteAccount(values.password, () => navigate(paths.home)))
      draftBackup(user?.ID).remove()
      toast({ title: 'Account deleted', text: 'This phone keeps nothing of it.' })
    })
  if (!unsent) return null
  return (
    <Dialog title="Delete your account?" onClose={onClose}>
      <p>
        Your name, email, number, photos and ID are removed, and you are logged out everywhere. Your
        deliveries stay for the other party, as those of a deleted user. This can't be undone.
      </p>
      {unsent.length > 0 && (
        <section aria-label="Not sent yet" className="grid gap-1">
          <h3 className="text-base font-semibold">Not sent yet, and lost then</h3>
          <ul className="grid list-disc gap-0.5 pl-5 text-sm text-soft">
            {unsent.map((item) => (
              <li key={item.entry} className="[overflow-wrap:anywhere]">
                {entryTitle(item)}
              </li>
            ))}
          </ul>
        </section>
      )}
      <form ref={form} noValidate onSubmit={submit(erase)} className="grid gap-3">
        {/* By which a password manager knows whose password it is. */}
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordField label="Password" autoComplete="current-password" {...bind('password')} />
        {failure && (
          <p className="rounded-control bg-red-wash p-3 font-semibold text-red-strong">{failure}</p>
        )}
        <Button type="submit" look="red" disabled={busy}>
          {busy ? 'Deleting…' : 'Delete my account'}
        </Button>
        <Button look="line" onClick={onClose}>
          Keep it
        </Button>
        {offline && (
          <p role="status" className="text-sm text-soft">
            You're offline. Deleting needs a connection.
          </p>
        )}
      </form>
    </Dialog>
  )
}
