import { useState } from 'react'
import { mayApply } from '#domain/users/driver.ts'
import { pulledAt } from '#store/queries/lists.ts'
import { viewerSession } from '#store/queries/queries.ts'
import { note } from '#sync/database/device/diagnostics.ts'
import { Button, ButtonLink } from '../../components/forms/button.tsx'
import { HelpLine } from '../../components/page/help.tsx'
import { PageLayout } from '../../components/page/page.tsx'
import { Empty } from '../../components/text/empty.tsx'
import { Notice } from '../../components/text/notice.tsx'
import { useLive } from '../../hooks/use-live.ts'
import { useSoma } from '../../hooks/use-soma.ts'
import { useVisitor } from '../../hooks/use-visitor.ts'
import { paths } from '../../paths.ts'
import { toast } from '../../toasts.ts'
import { DriverApplication } from '../auth/signup/driver-application.tsx'

/** A driver's application status (R4). The shell redirects an approved driver to Drive. */
export default function DriverPending() {
  const { visitor, user } = useVisitor()
  const { db, engine } = useSoma()
  const [checking, setChecking] = useState(false)
  const reason = useLive(viewerSession)?.driverReason
  if (visitor !== 'driver')
    return (
      <PageLayout title="Driver Approval">
        <Empty icon="shield" title="Access denied. Driver account required." />
      </PageLayout>
    )
  const check = async () => {
    setChecking(true)
    const asked = Date.now()
    const refresh = () =>
      engine
        .refresh({ kind: 'driverStatus' })
        .catch((error: unknown) => note('The driver status could not be refreshed', { error }))
    const answered = async () => ((await pulledAt(db, 'driverStatus')) ?? 0) >= asked
    await refresh()
    // A sync round that had already started may not have included the status: the next one does.
    if (!(await answered())) await refresh()
    setChecking(false)
    if (!(await answered()))
      return toast({ title: 'Error', text: 'Failed to check status.', destructive: true })
    const now = (await viewerSession(db))?.user.driverStatus
    if (now === 'pending')
      toast({
        title: 'Still under review',
        text: 'We check every application by hand.',
        plain: true,
      })
    if (now === 'rejected') toast({ title: 'No change to your application.', destructive: true })
  }
  return (
    <PageLayout
      title={user?.driverStatus === 'rejected' ? 'Driver Application' : 'Driver Approval Pending'}
    >
      {user?.driverStatus === 'rejected' ? (
        <Notice tone="red" title="Your application was rejected">
          {reason && <p className="font-semibold [overflow-wrap:anywhere]">Reason: {reason}</p>}
          <p>
            Contact support if you think this is a mistake. A job you had accepted goes to another
            driver. You can still send packages.
          </p>
        </Notice>
      ) : (
        <Notice title="Your application is under review">
          <p>Approval usually takes 24-48 hours. You can still send packages while waiting.</p>
        </Notice>
      )}
      <div className="flex flex-wrap gap-2">
        <Button icon="retry" disabled={checking} onClick={check}>
          {checking ? 'Checking…' : 'Check Approval Status'}
        </Button>
        <ButtonLink look="line" to={paths.send}>
          Send a Package
        </ButtonLink>
        <HelpLine />
      </div>
      {user && mayApply(user) && (
        <DriverApplication
          key={user.ID}
          title="Apply again"
          text="With your ID and a new photo of it. Everything on it must be readable."
        />
      )}
    </PageLayout>
  )
}
