import { useRef } from 'react'
import { ButtonLink } from '../../components/forms/button.tsx'
import { WithNow } from '../../components/now/with-now.tsx'
import { PageLayout } from '../../components/page/page.tsx'
import { PauseNotice } from '../../components/page/pause-notice.tsx'
import { Loading } from '../../components/page/skeleton.tsx'
import { LicenceNotice } from '../../components/person/licence-notice.tsx'
import { Empty } from '../../components/text/empty.tsx'
import type { IconName } from '../../components/text/icon.tsx'
import { useVisitor } from '../../hooks/use-visitor.ts'
import { paths, type Visitor } from '../../paths.ts'
import { useToast } from '../../toasts.ts'
import { Jobs } from './jobs.tsx'

/** Deliveries that a driver can accept (R24). */
export default function Drive() {
  const { visitor, user } = useVisitor()
  // A decision that comes while the jobs are on the screen is announced (R100).
  const wasApproved = useRef(false)
  wasApproved.current ||= visitor === 'approvedDriver'
  if (visitor === 'approvedDriver')
    return (
      <div className="wide">
        <PageLayout title="Find Deliveries" isSmall>
          <PauseNotice>New jobs come then. Those on the list can be accepted.</PauseNotice>
          <WithNow title="My Active Delivery" fallback={<Loading label="Loading deliveries" />}>
            {user?.Verified === false && <Onboarding {...unverified} />}
            <LicenceNotice>
              <ButtonLink to={paths.profile} className="justify-self-start">
                Enter your new licence
              </ButtonLink>
            </LicenceNotice>
            <Jobs />
          </WithNow>
        </PageLayout>
      </div>
    )
  return (
    <PageLayout title="Drive">
      <WithNow title="My Active Delivery" fallback={<Loading rows={1} />}>
        <NotYet visitor={visitor} isAnnounced={wasApproved.current} />
      </WithNow>
    </PageLayout>
  )
}

/** Says in a toast why this visitor sees no jobs, unless that was announced, and on the page what to do. */
function NotYet({ visitor, isAnnounced }: { visitor: Visitor; isAnnounced: boolean }) {
  const { user } = useVisitor()
  const step = user?.driverStatus === 'rejected' ? rejected : onboarding[visitor]
  useToast(
    step && !isAnnounced ? { title: step.title, text: step.text, destructive: true } : undefined,
  )
  return step && <Onboarding {...step} />
}

type Step = { icon: IconName; title: string; text: string; links: [string, string][] }

const unverified: Step = {
  icon: 'phone',
  title: 'Verify your phone first',
  text: 'Jobs can be accepted once your phone number is verified.',
  links: [['Verify Phone', `${paths.auth}?step=verify`]],
}

const otherRole: Step = {
  icon: 'car',
  title: 'Driver Access Required',
  text: 'This account does not drive. Become a driver with your ID to find jobs.',
  links: [
    ['Become a Driver', paths.profile],
    ['Go to Home', paths.home],
  ],
}

const rejected: Step = {
  icon: 'alert',
  title: 'Driver Approval Required',
  text: 'Your application was rejected. Contact support if you think this is a mistake.',
  links: [
    ['Check Approval Status', paths.driverPending],
    ['Send a Package', paths.send],
  ],
}

/** What each visitor without access to jobs has to do first. */
const onboarding: Partial<Record<Visitor, Step>> = {
  guest: {
    icon: 'person',
    title: 'Login Required',
    text: 'Log in with your driver account, or become a driver and earn on trips you already make.',
    links: [
      ['Login', paths.auth],
      ['Become a Driver', `${paths.auth}?tab=signup&role=driver`],
    ],
  },
  driver: {
    icon: 'clock',
    title: 'Driver Approval Required',
    text: 'Your application is under review. Approval usually takes 24-48 hours.',
    links: [['Check Approval Status', paths.driverPending]],
  },
  sender: otherRole,
  admin: {
    ...otherRole,
    text: 'This account does not drive.',
    links: [['Go to Home', paths.home]],
  },
  user: otherRole,
}

function Onboarding({ icon, title, text, links }: Step) {
  return (
    <Empty
      icon={icon}
      title={title}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          {links.map(([label, to], at) => (
            <ButtonLink key={to} to={to} look={at === 0 ? 'green' : 'line'}>
              {label}
            </ButtonLink>
          ))}
        </div>
      }
    >
      {text}
    </Empty>
  )
}
