import { Suspense } from 'react'
import { mayApply } from '#domain/users/driver.ts'
import { notificationState } from '#store/queries/account/notification-state.ts'
import { ButtonLink } from '../../components/forms/button.tsx'
import { ThemeChoice } from '../../components/forms/theme-choice.tsx'
import Help from '../../components/page/help.tsx'
import { lazyPart } from '../../components/page/lazy-part.tsx'
import { PageLayout } from '../../components/page/page.tsx'
import { Facts } from '../../components/text/facts.tsx'
import { Notice } from '../../components/text/notice.tsx'
import { Tag } from '../../components/text/tag.tsx'
import { useFirst } from '../../hooks/use-first.ts'
import { useLive } from '../../hooks/use-live.ts'
import { useVisitor } from '../../hooks/use-visitor.ts'
import { paths, type Visitor } from '../../paths.ts'
import { DriverApplication } from '../auth/signup/driver-application.tsx'
import { YourCard } from './card/your-card.tsx'
import { YourCommutes } from './commutes/your-commutes.tsx'
import { Logout } from './logout.tsx'
import { Notifications } from './notifications/notification-settings.tsx'
import { YourPayoutNumber } from './payout/your-payout-number.tsx'
import { PhoneEdit } from './phone-edit.tsx'
import { EmailEdit, NameEdit, PasswordEdit } from './profile-edit.tsx'
import { Recent } from './recent.tsx'
import { Sessions } from './session-list.tsx'
import { YourData } from './your-data/your-data.tsx'

const SecondStep = lazyPart(() => import('./second-step/second-step.tsx'))

const roleNames: Record<Visitor, string> = {
  guest: 'Guest',
  sender: 'Sender',
  driver: 'Driver, not approved yet',
  approvedDriver: 'Approved driver',
  admin: 'Admin',
  user: 'User',
}

/** Account information, and the deliveries this person sent or drove. */
export default function Profile() {
  const { visitor, user } = useVisitor()
  const isOffered = useFirst(useLive(notificationState)?.isOffered)
  if (!user || isOffered === undefined) return null
  const driving = visitor === 'approvedDriver' || visitor === 'driver'
  return (
    // Nothing typed stays when another tab logs somebody else in.
    <PageLayout key={user.ID} title="Account">
      <div className="grid items-start gap-4 md:grid-cols-2 md:grid-rows-[auto_1fr]">
        <section className="card grid gap-5" aria-labelledby="account">
          <h2 id="account">Account Information</h2>
          <NameEdit name={user.name} />
          <EmailEdit email={user.email} />
          <PhoneEdit
            key={user.phone_number}
            phone={user.phone_number}
            pending={user.pendingPhone}
          />
          <PasswordEdit email={user.email} />
          <Facts of={[['Role', user.role === 'support' ? 'Support' : roleNames[visitor]]]} />
        </section>
        <div className="grid gap-4 md:row-span-2">
          {visitor !== 'admin' && (
            <Verification verified={user.Verified} hasNumber={user.phone_number !== ''} />
          )}
          {driving && <YourCard user={user} />}
          {driving && <YourPayoutNumber user={user} />}
          {driving && <YourCommutes user={user} />}
          {mayApply(user) && (
            <DriverApplication
              title={driving ? 'Apply again' : 'Become a driver'}
              text="Earn on trips you already make. Your account and your deliveries stay as they are."
            />
          )}
          {isOffered && user.role !== 'support' && <Notifications user={user} />}
          {visitor === 'admin' && (
            <Suspense>
              <SecondStep user={user} />
            </Suspense>
          )}
          <ThemeChoice />
          {driving && (
            <ButtonLink look="line" icon="money" to={`${paths.deliveries}?show=earnings`}>
              Earnings
            </ButtonLink>
          )}
          <ButtonLink look="line" icon="outbox" to={paths.outbox}>
            Outbox
          </ButtonLink>
          <Logout />
          <Sessions />
          <YourData email={user.email} mayDelete={visitor !== 'admin'} />
          <Help />
        </div>
        {visitor !== 'admin' && <Recent drives={driving} />}
      </div>
    </PageLayout>
  )
}

function Verification({ verified, hasNumber }: { verified: boolean; hasNumber: boolean }) {
  if (verified)
    return (
      <section
        className="card flex flex-wrap items-center justify-between gap-3"
        aria-label="Verification"
      >
        <h2>Account Verification</h2>
        <Tag>Verified</Tag>
      </section>
    )
  if (!hasNumber)
    return (
      <Notice title="Account Verification">
        <p>
          Your phone number has a new owner, who confirmed it by SMS. Your deliveries are still
          here. Tap Edit beside Phone to add your number: then you can send packages and take jobs
          again.
        </p>
      </Notice>
    )
  return (
    <Notice title="Account Verification">
      <p>Verify your phone number to send packages and take jobs.</p>
      <ButtonLink className="justify-self-start" to={`${paths.auth}?step=verify`}>
        Verify Phone
      </ButtonLink>
    </Notice>
  )
}
