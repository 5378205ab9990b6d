import { useState } from 'react'
import { useLive } from '#app/hooks/use-live.ts'
import { viewerSession } from '#store/queries/queries.ts'
import { note } from '#sync/database/device/diagnostics.ts'
import { useDemo } from './demo-context.ts'

/** On the device of a driver who waits for approval: the admin's approval, with one tap. */
export function Applicant() {
  const { admin, approveDriver } = useDemo()
  const user = useLive(viewerSession)?.user
  const [isBusy, setBusy] = useState(false)
  if (user?.driverStatus !== 'pending') return null
  const approve = async () => {
    setBusy(true)
    await approveDriver().catch((error) => note('demo approval failed', { error }))
    setBusy(false)
  }
  return (
    <section aria-label="Driver application" className="demo-card">
      <p>{user.name.split(' ')[0]} has applied to drive. In the demo nobody waits for an answer.</p>
      <button type="button" className="demo-go" disabled={isBusy} onClick={() => void approve()}>
        Approve as {admin.name.split(' ')[0]}, the admin
      </button>
    </section>
  )
}
