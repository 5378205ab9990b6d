import { useState } from 'react'
import { maxReason } from '#domain/deliveries/draft.ts'
import type { Details } from '#store/queries/admin/admin.ts'
import { attempt } from '../../../browser/attempt.ts'
import { Confirm } from '../../../components/dialogs/confirm.tsx'
import { Button } from '../../../components/forms/button.tsx'
import { SelectField } from '../../../components/forms/fields.tsx'
import { ReasonField, useReason } from '../../../components/forms/reasons/reason-field.tsx'
import { Notice } from '../../../components/text/notice.tsx'
import { useSoma } from '../../../hooks/use-soma.ts'
import { useIsSupport } from '../../../hooks/use-visitor.ts'
import { longDate } from '../../../texts/time.ts'

/** Whether and why a person is suspended, and the way in and out of it (R198). */
export function SuspensionPart({ details }: { details: Details }) {
  const { user, suspending } = details
  const [isAsking, setAsking] = useState(false)
  const { suspended } = user
  const isSupport = useIsSupport()
  if (isSupport && !suspended && !suspending) return null
  return (
    <section aria-label="Suspension" className="grid gap-2">
      {suspended && (
        <Notice
          tone="red"
          title={suspended.until ? `Suspended until ${longDate(suspended.until)}` : 'Suspended'}
        >
          <p className="text-sm [overflow-wrap:anywhere]">
            {suspended.reason} · since {longDate(suspended.at)}
          </p>
        </Notice>
      )}
      {suspending ? (
        <p className="font-semibold" role="status">
          {suspending.suspended ? 'Suspension' : 'End of the suspension'} · not confirmed yet
        </p>
      ) : (
        !isSupport && (
          <Button look={suspended ? 'edge' : 'red'} onClick={() => setAsking(true)}>
            {suspended ? 'Lift suspension' : 'Suspend'}
          </Button>
        )
      )}
      {isAsking && <Ask details={details} onClose={() => setAsking(false)} />}
    </section>
  )
}

const suspendReasons = ['Parcels were lost', 'Several accounts', 'Insults or threats'] as const
const liftReasons = ['It was a mistake', 'It is settled'] as const

/** Days until a suspension ends by itself; the last one does not. */
const ends = [
  ['1', 'For 1 day'],
  ['7', 'For 7 days'],
  ['30', 'For 30 days'],
  ['', 'Until it is lifted'],
] as const

const daysFromNow = (days: string): string | undefined =>
  days === '' ? undefined : new Date(Date.now() + Number(days) * 24 * 3_600_000).toISOString()

function Ask({ details: { user }, onClose }: { details: Details; onClose: () => void }) {
  const { commands } = useSoma()
  const [days, setDays] = useState('7')
  const isLifting = user.suspended !== undefined
  const why = useReason(`${isLifting ? 'lift' : 'suspend'}:${user.ID}`)
  const save = async () => {
    const work = () =>
      isLifting
        ? commands.liftSuspension(user.ID, why.reason)
        : commands.suspendUser(user.ID, why.reason, daysFromNow(days))
    if (await attempt('Error', work, 'Failed to save the suspension')) why.clear()
  }
  return (
    <Confirm
      title={isLifting ? `Lift the suspension of ${user.name}?` : `Suspend ${user.name}?`}
      yes={isLifting ? 'Lift suspension' : 'Suspend'}
      look={isLifting ? 'green' : 'red'}
      isReady={why.reason !== ''}
      onYes={save}
      onClose={onClose}
    >
      <div className="grid gap-3">
        <p>
          {isLifting
            ? 'They can log in again, and their pending requests are offered again.'
            : 'They are logged out at once. Their pending requests are no longer offered, an accepted job goes to another driver, and a dispute opens for a parcel they carry.'}
        </p>
        {!isLifting && (
          <SelectField
            label="How long"
            value={days}
            onChange={({ target }) => setDays(target.value)}
          >
            {ends.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </SelectField>
        )}
        <ReasonField
          of={why}
          legend="Why?"
          reasons={isLifting ? liftReasons : suspendReasons}
          hint={isLifting ? 'Only the office reads this.' : 'They read this when they log in.'}
          maxLength={maxReason}
        />
      </div>
    </Confirm>
  )
}
