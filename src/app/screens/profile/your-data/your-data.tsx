import { useState } from 'react'
import { syncStatus } from '#store/queries/queries.ts'
import { attempt } from '../../../browser/attempt.ts'
import { saveFile } from '../../../browser/device/save-file.ts'
import { Button } from '../../../components/forms/button.tsx'
import { PrivacyLink } from '../../../components/page/consent.tsx'
import { useLive } from '../../../hooks/use-live.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { DeleteAccount } from './delete-account.tsx'

/** What is held about this person, and its end (R215, R216). An admin's account is removed by another admin. */
export function YourData({ email, mayDelete }: { email: string; mayDelete: boolean }) {
  const { session } = useSoma()
  const offline = useLive(syncStatus)?.reachable === false
  const [deleting, setDeleting] = useState(false)
  const [busy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    await attempt('Not downloaded', async () =>
      saveFile(await session.personalData(), 'my-data', 'json'),
    )
    setBusy(false)
  }
  return (
    <section className="card grid gap-3" aria-labelledby="your-data">
      <h2 id="your-data">Your data</h2>
      <Button look="line" icon="down" disabled={busy} onClick={download}>
        {busy ? 'Downloading…' : 'Download my data'}
      </Button>
      {mayDelete && (
        <Button look="red" onClick={() => setDeleting(true)}>
          Delete my account
        </Button>
      )}
      <PrivacyLink />
      {offline && (
        <p role="status" className="text-sm text-soft">
          You're offline. Both need a connection.
        </p>
      )}
      {deleting && <DeleteAccount email={email} onClose={() => setDeleting(false)} />}
    </section>
  )
}
