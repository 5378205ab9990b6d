import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { firstNameOf } from '#domain/users/user.ts'
import type { DeliveryUnderWay } from '#store/queries/under-way.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { guestAccount } from '#sync/database/engine-db.ts'
import { useNow } from '../../hooks/time/use-now.ts'
import { paths, roomPath } from '../../paths.ts'
import { type NextStep, nextStep } from '../../texts/next-step.ts'
import { timeAhead } from '../../texts/time.ts'
import { ConfirmApprove } from '../delivery/actions/approve.tsx'
import { ConfirmPickUp } from '../delivery/actions/confirm-pick-up.tsx'
import { ConfirmReturn } from '../delivery/actions/confirm-return.tsx'
import { RaiseOffer } from '../delivery/actions/raise-offer.tsx'
import { Contact } from '../delivery/contact.tsx'
import { DeliveryHead } from '../delivery/delivery-head.tsx'
import { openLabel } from '../delivery/delivery-line.tsx'
import { useUnsentText } from '../delivery/unsent/use-unsent-text.ts'
import { Button, ButtonLink, buttonClass } from '../forms/button.tsx'
import { Link } from '../forms/link.tsx'
import { Icon } from '../text/icon.tsx'

/** One delivery under way: where it stands, and one button for what is next. */
export function NowCard({ live }: { live: DeliveryUnderWay }) {
  const { id, row, as, guest } = live
  // What is said next may change as time passes.
  useNow(30_000)
  const step = row && nextStep(row, as)
  const said = useUnsentText(row)
  const item = row?.view.itemDescription ?? 'Delivery'
  return (
    <article aria-label={item} className="card relative grid content-start gap-3">
      {guest ? (
        <GuestLine id={id} {...guest} />
      ) : (
        <Link
          to={roomPath(id)}
          aria-label={row ? openLabel(row.view) : 'Open delivery'}
          className="absolute inset-0 rounded-card"
        />
      )}
      {row && <DeliveryHead row={row} />}
      {step && (
        <p className="grid">
          <strong>{said(step.title)}</strong>
          {step.text && <span className="text-sm text-soft">{said(step.text)}</span>}
        </p>
      )}
      {row && as === 'driver' && <Contact row={row} as={as} />}
      {row && step && !(guest && step.action === 'open') && <StepButton row={row} step={step} />}
    </article>
  )
}

/** What a guest has of a delivery: for how long this phone still shows it (R58). */
function GuestLine(props: { id: string; name: string; trackedUntil: number }) {
  const { id, name, trackedUntil } = props
  return (
    <Link
      to={roomPath(id)}
      className="grid gap-0.5 after:absolute after:inset-0 after:rounded-card"
    >
      <span className="flex items-center gap-1.5 text-lg font-bold">
        <Icon name="pin" className="size-5" />
        Track My Delivery
      </span>
      <span className="text-sm text-soft">
        Active delivery for {name} · tracked until {timeAhead(trackedUntil)}
      </span>
    </Link>
  )
}

/** Above the link that covers the card. */
const raised = 'relative min-h-13'

function StepButton({ row, step }: { row: DeliveryRow; step: NextStep }) {
  const [asking, setAsking] = useState(false)
  const { driver } = row.view
  const navigate = useNavigate()
  // There a guest reads that it has arrived, before their record goes (R58).
  const approved = () => row.account === guestAccount && navigate(roomPath(row.ID))
  switch (step.action) {
    case 'approve':
      return (
        <>
          <Button icon="check" className={raised} onClick={() => setAsking(true)}>
            Confirm and pay
          </Button>
          {asking && (
            <ConfirmApprove row={row} onApproved={approved} onClose={() => setAsking(false)} />
          )}
        </>
      )
    case 'raise':
      return <RaiseOffer row={row} className={raised} />
    case 'confirm return':
      return (
        <>
          <Button icon="check" className={raised} onClick={() => setAsking(true)}>
            Confirm return
          </Button>
          {asking && <ConfirmReturn row={row} onClose={() => setAsking(false)} />}
        </>
      )
    case 'pick up':
      return (
        <>
          <Button icon="box" className={raised} onClick={() => setAsking(true)}>
            Mark as Picked Up
          </Button>
          {asking && <ConfirmPickUp row={row} onClose={() => setAsking(false)} />}
        </>
      )
    case 'enter code':
      return (
        <ButtonLink to={`${roomPath(row.ID)}#code`} className={raised}>
          Enter code
        </ButtonLink>
      )
    case 'fix':
      return (
        <ButtonLink to={roomPath(row.ID)} className={raised}>
          Fix it
        </ButtonLink>
      )
    case 'find':
      return (
        <ButtonLink to={paths.drive} look="line" className={raised}>
          Find next job
        </ButtonLink>
      )
    case 'call':
      return driver?.phone ? (
        <a href={`tel:${driver.phone}`} className={buttonClass('line', raised)}>
          <Icon name="phone" className="size-5" />
          Call {firstNameOf(driver.name)}
        </a>
      ) : null
    case 'open':
      return (
        <ButtonLink to={roomPath(row.ID)} look="line" className={raised}>
          Open
        </ButtonLink>
      )
  }
}
