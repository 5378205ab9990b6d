import { useState } from 'react'
import { useLocation } from 'react-router-dom'
import { networks } from '#domain/mobile-money/networks.ts'
import { nextPayoutAfter, payoutAt, pendingPayoutAt } from '#domain/payouts/payout-numbers.ts'
import type { PayoutNumber } from '#domain/users/payout-number.ts'
import type { User } from '#domain/users/user.ts'
import { attempt } from '../../../browser/attempt.ts'
import { blockReload } from '../../../browser/update/reload-guard.ts'
import { Button } from '../../../components/forms/button.tsx'
import { Facts } from '../../../components/text/facts.tsx'
import { Notice } from '../../../components/text/notice.tsx'
import { Verbatim } from '../../../components/text/verbatim.tsx'
import { useNow } from '../../../hooks/time/use-now.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { atDueTime } from '../../../texts/time.ts'
import { toast } from '../../../toasts.ts'
import { CodeForm } from '../code-form.tsx'
import { scrollHere } from '../scroll-here.ts'
import { PayoutForm } from './payout-form.tsx'

/** The mobile money account that a driver is paid to, and the form that changes it (R175). */
export function YourPayoutNumber({ user }: { user: User }) {
  const now = useNow(30_000)
  const [editing, setEditing] = useState(false)
  const counting = payoutAt(user, now)
  const next = nextPayoutAfter(user, now)
  const pending = pendingPayoutAt(user, now)
  return (
    <section
      ref={useLocation().hash === '#payout' ? scrollHere : undefined}
      className="card grid scroll-mt-20 gap-4"
      aria-labelledby="payout-number"
    >
      <div className="grid gap-1">
        <h2 id="payout-number">Payout number</h2>
        <p className="text-sm text-soft">
          The mobile money account you are paid to. Only you and support see it.
        </p>
      </div>
      {counting ? (
        <Account number={counting} />
      ) : (
        !pending && !next && <p>You have none yet. You can take jobs without it.</p>
      )}
      {next && <Change from={counting} to={next} now={now} />}
      {editing ? (
        <PayoutForm user={user} onClose={() => setEditing(false)} />
      ) : pending ? (
        <Confirm pending={pending} counting={counting} onChange={() => setEditing(true)} />
      ) : (
        <Button look="line" onClick={() => setEditing(true)}>
          {counting ? 'Change payout number' : 'Add payout number'}
        </Button>
      )}
    </section>
  )
}

function Account({ number: { phone, network, name } }: { number: PayoutNumber }) {
  return (
    <Facts
      of={[
        ['Number', <Verbatim key="number">{phone}</Verbatim>],
        ['Network', networks[network].wallet],
        ['Name', <Verbatim key="name">{name}</Verbatim>],
      ]}
    />
  )
}

/** A confirmed change that does not count yet, and the way back to the number before, if that is still theirs (R145). */
function Change({ from, to, now }: { from?: PayoutNumber; to: PayoutNumber; now: number }) {
  const { session } = useSoma()
  const [busy, setBusy] = useState(false)
  const keep = async ({ from: _, ...number }: PayoutNumber) => {
    setBusy(true)
    await attempt('Not changed', async () => {
      await blockReload(session.changePayout(number))
      toast({ title: 'Change Cancelled', text: `You are paid to ${number.phone}.` })
    })
    setBusy(false)
  }
  return (
    <Notice title="A change is on its way">
      <p>
        You are paid to <Verbatim>{to.phone}</Verbatim> ({networks[to.network].wallet},{' '}
        <Verbatim>{to.name}</Verbatim>) from {atDueTime(to.from, now).replace(/^(at|on) /, '')} on.
      </p>
      {from && (
        <Button look="edge" disabled={busy} onClick={() => keep(from)}>
          {busy ? 'Saving…' : 'Cancel the change'}
        </Button>
      )}
    </Notice>
  )
}

type ConfirmProps = { pending: PayoutNumber; counting?: PayoutNumber; onChange: () => void }

function Confirm({ pending, counting, onChange }: ConfirmProps) {
  const { session } = useSoma()
  const { from: _, ...number } = pending
  return (
    <CodeForm
      key={pending.phone}
      label="Confirm payout number"
      onConfirm={async (code) => {
        await session.confirmPayout(code)
        toast({
          title: 'Payout Number Confirmed',
          text: counting ? 'It counts in 24 hours.' : `You are paid to ${pending.phone}.`,
        })
      }}
      onResend={() => session.changePayout(number)}
      other={{ label: 'Use another number', onClick: onChange }}
    >
      <p>
        <strong>
          Enter the 6-digit code sent to <Verbatim>{pending.phone}</Verbatim>.
        </strong>{' '}
        {counting && (
          <>
            Then it counts in 24 hours; until then you are paid to{' '}
            <Verbatim>{counting.phone}</Verbatim>.
          </>
        )}
      </p>
    </CodeForm>
  )
}
