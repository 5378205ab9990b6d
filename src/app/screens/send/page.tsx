import { type ReactNode, useLayoutEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { activeSent } from '#store/queries/deliveries.ts'
import { draft, guestRecord } from '#store/queries/queries.ts'
import { ButtonLink } from '../../components/forms/button.tsx'
import { Choice } from '../../components/forms/choice.tsx'
import { WithNow } from '../../components/now/with-now.tsx'
import { PageLayout } from '../../components/page/page.tsx'
import { PauseNotice } from '../../components/page/pause-notice.tsx'
import { Loading } from '../../components/page/skeleton.tsx'
import { Empty } from '../../components/text/empty.tsx'
import { useLive, useOwn, useWatch } from '../../hooks/use-live.ts'
import { useVisitor } from '../../hooks/use-visitor.ts'
import { paths, roomPath } from '../../paths.ts'
import { useToast } from '../../toasts.ts'
import { SendForm } from './send-form.tsx'
import { stepIn } from './steps.ts'
import type { Mode } from './use-send-form.ts'

/** Requests a delivery, as a guest or with an account (R20). */
export default function Send() {
  const { user } = useVisitor()
  const [search, setSearch] = useSearchParams()
  const asked = search.get('as')
  const mode: Mode = asked === 'guest' || asked === 'account' ? asked : user ? 'account' : 'guest'
  return (
    <PageLayout
      title="Send a Package"
      lead="Works without signal. We'll send it when you're back online."
      isSmall={stepIn(search) > 1}
    >
      <PauseNotice>Fill in yours now. It goes by itself then.</PauseNotice>
      <BelowNow>
        <Choice
          legend="Send as"
          name="mode"
          value={mode}
          choices={[
            ['guest', 'As guest'],
            ['account', 'My account'],
          ]}
          onChange={(next) => {
            const params = new URLSearchParams(search)
            params.set('as', next)
            setSearch(params, { replace: true })
          }}
        />
        {mode === 'account' ? <WithAccount /> : <AsGuest />}
      </BelowNow>
    </PageLayout>
  )
}

/**
 * The form below what is under way. It is mounted once, so that what is typed there keeps its place and its focus
 * when a delivery begins or ends meanwhile.
 */
function BelowNow({ children }: { children: ReactNode }) {
  const [isDrawn, setIsDrawn] = useState(false)
  return (
    <>
      <WithNow title="My Active Delivery" fallback={!isDrawn && <Loading />}>
        <Drawn onDrawn={setIsDrawn} />
      </WithNow>
      {isDrawn && children}
    </>
  )
}

/** Says that it is known what is under way, before that is on the screen. */
function Drawn({ onDrawn }: { onDrawn: (isDrawn: true) => void }) {
  useLayoutEffect(() => onDrawn(true), [onDrawn])
  return null
}

function AsGuest() {
  const record = useLive(guestRecord)
  // A guest with a valid record gets the link to their delivery (R58).
  useToast(
    record
      ? {
          title: 'Active Guest Delivery',
          text: 'You have an active delivery. Click to track it.',
          plain: true,
          action: { label: 'Track Delivery', to: roomPath(record.id) },
        }
      : undefined,
  )
  return <Draft mode="guest" />
}

function WithAccount() {
  const { user } = useVisitor()
  useWatch(user ? { kind: 'sent' } : undefined)
  const active = useOwn(activeSent)
  if (!user)
    return (
      <Empty
        icon="person"
        title="Send with your account"
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <ButtonLink to={paths.auth}>Login</ButtonLink>
            <ButtonLink look="line" to={`${paths.auth}?tab=signup`}>
              Sign Up
            </ButtonLink>
          </div>
        }
      >
        Log in to keep all your deliveries in one place, or send as a guest right away.
      </Empty>
    )
  if (active === undefined) return <Loading />
  if (active)
    return (
      <p className="text-soft">
        {active.view.status === 'Delivered'
          ? 'Confirm it to send another.'
          : 'You can request a new delivery once this one is completed.'}
      </p>
    )
  if (!user.Verified) return <Unverified />
  return <Draft mode="account" />
}

function Unverified() {
  return (
    <Empty
      icon="phone"
      title="Verify your phone first"
      action={<ButtonLink to={`${paths.auth}?step=verify`}>Verify Phone</ButtonLink>}
    >
      We send a code by SMS to your number. It takes a minute and then you can send packages.
    </Empty>
  )
}

/** The key mounts a new form for each account, so that nobody sees another person's draft. */
function Draft({ mode }: { mode: Mode }) {
  const { user } = useVisitor()
  return <SavedDraft key={user?.ID ?? 'guest'} mode={mode} />
}

function SavedDraft({ mode }: { mode: Mode }) {
  const saved = useOwn(draft)
  if (saved === undefined) return <Loading />
  return <SendForm mode={mode} saved={saved} />
}
