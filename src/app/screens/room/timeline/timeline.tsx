import type { ReactNode } from 'react'
import {
  type Actor,
  isDriverOf,
  type Status,
  type StatusChange,
} from '#domain/deliveries/delivery.ts'
import { moneyDecision } from '#domain/deliveries/endings/decide.ts'
import { isUnpaid } from '#domain/deliveries/payment.ts'
import { shortPrice } from '#domain/money.ts'
import { firstNameOf } from '#domain/users/user.ts'
import { wasCreateRefused } from '#store/deliveries/project.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { isThrottled, pendingOperation } from '../../../components/delivery/status.tsx'
import { useUnsentText } from '../../../components/delivery/unsent/use-unsent-text.ts'
import { HostedPhoto } from '../../../components/photo/photo.tsx'
import { waitsForSignal } from '../../../texts/next-step.ts'
import { attemptText, cancelText, correctionText } from '../../../texts/return-texts.ts'
import { claimText, clockTime, timeOrDate } from '../../../texts/time.ts'
import { isGivingBack } from '../returns/use-leave-given-back.ts'
import {
  type CorrectionLine,
  eventsOf,
  type IncidentLine,
  type Line,
  type RaiseLine,
  type State,
} from './timeline-lines.ts'

/** What came between the steps. */
type BetweenLine = IncidentLine | RaiseLine | CorrectionLine

const names: Record<Exclude<State, 'setback'>, string> = {
  done: 'done',
  now: 'current step',
  asked: 'not confirmed yet',
  ahead: 'to come',
  cancelled: 'cancelled',
}

const diamonds: Record<State, string> = {
  done: 'bg-green border-green',
  now: 'bg-gold border-gold',
  asked: 'bg-card border-gold border-dashed',
  ahead: 'bg-card border-line',
  cancelled: 'bg-red border-red',
  setback: 'bg-card border-red',
}

/** The delivery's steps, and what came between them; a Cancelled delivery shows only those it went through (R23). */
export function Timeline({ row, who }: { row: DeliveryRow; who: Actor | undefined }) {
  const drives = who !== undefined && 'user' in who && isDriverOf(row.view, who.user)
  const driving = drives || isGivingBack(row)
  const lines = eventsOf(row)
  const said = useUnsentText(row)
  const noteAt = (line: Line) => {
    const note = noteOf(row, line, driving)
    return note && said(note)
  }
  return (
    <ol aria-label="Delivery status" aria-live="polite">
      {lines.map((line, at) => (
        <TimelineLine
          key={'kind' in line ? `${line.kind} ${line.at}` : `${line.status} ${line.step?.late}`}
          state={line.state}
          isCurrent={!('kind' in line) && line.state === 'now'}
          isLast={at === lines.length - 1}
          name={nameOf(line, driving)}
          when={'kind' in line ? line : line.step}
        >
          <Note text={'kind' in line ? betweenNote(line) : noteAt(line)} />
          {'photo' in line && line.photo && (
            <span className="mt-1.5 block w-40 max-w-full">
              <HostedPhoto src={line.photo} alt="From the driver" />
            </span>
          )}
        </TimelineLine>
      ))}
    </ol>
  )
}

function TimelineLine(props: {
  state: State
  isCurrent: boolean
  isLast: boolean
  name: string
  when: { at: string; occurredAt?: string } | undefined
  children: ReactNode
}) {
  const { state, isLast, when } = props
  return (
    <li
      aria-current={props.isCurrent ? 'step' : undefined}
      className="relative grid min-h-13 last:min-h-0 grid-cols-[26px_minmax(0,1fr)] gap-2.5"
    >
      {!isLast && (
        <span
          aria-hidden="true"
          className={`absolute top-6 bottom-0.5 left-3 border-l-[2.5px] ${state === 'done' || state === 'setback' ? 'border-green' : 'border-line'}`}
        />
      )}
      <span
        aria-hidden="true"
        className={`mx-auto mt-1 size-3.5 [transform:rotate(45deg)] rounded-[3px] border-[2.5px] ${diamonds[state]}`}
      />
      <span className={`grid content-start ${isLast ? '' : 'pb-3'}`}>
        <span className="flex flex-wrap items-baseline justify-between gap-x-2">
          <span className={state === 'ahead' ? 'text-soft' : 'font-bold'}>
            {props.name}
            {state !== 'setback' && <span className="sr-only">, {names[state]}</span>}
          </span>
          <span className="text-sm text-soft">{when && timeOrDate(when.at)}</span>
        </span>
        {props.children}
      </span>
    </li>
  )
}

const Note = ({ text }: { text: string | undefined }) =>
  text ? <span className="text-sm text-soft">{text}</span> : null

const refusedNote = ({ marks }: DeliveryRow) =>
  marks[0]?.error?.reason === 'lost' ? 'Lost on our side' : 'Not accepted'

function noteOf(row: DeliveryRow, { status, state, step }: Line, driving: boolean) {
  if (step?.late && row.view.status === 'Cancelled')
    return state === 'asked' ? waitsForSignal : `Before the cancel · reported ${clockTime(step.at)}`
  if (wasCreateRefused(row)) return state === 'asked' ? refusedNote(row) : undefined
  if (state === 'asked') {
    const pending = pendingOperation(row)
    if (isThrottled(pending)) return 'Too many attempts'
    return requestedNotes[status]
  }
  if (state === 'ahead' || !step) return undefined
  if (status === 'Pending' && isUnpaid(row.view)) return 'Not paid yet'
  const given = step.by === 'office' ? ` · ${supportText(step)}` : ''
  if (status === 'Accepted' && row.view.driver)
    return driving
      ? given
        ? `Given to you${given}`
        : 'By you'
      : `${firstNameOf(row.view.driver.name)}${state === 'now' ? ' is on the way' : ''}${given}`
  return whyEnded(row, step, driving) ?? claimText(step)
}

/** What the word of the last step does not say (R105 to R107, R161). */
function whyEnded({ view }: DeliveryRow, step: StatusChange, driving: boolean): string | undefined {
  const { status, automatic } = step
  if (automatic) return 'Approved automatically'
  if (status === 'Cancelled' && view.outcome === 'returned') return 'Returned to the sender'
  if (status === 'Approved' && step.by === 'office') return supportText(step)
  const isDecided = moneyDecision(view) && status === view.status
  if (isDecided) return 'Decided by an admin'
  return status === 'Cancelled' ? cancelText(view, driving ? 'driver' : 'sender') : undefined
}

/** What support says of what it did (R191). */
const supportText = ({ reason }: Pick<StatusChange, 'reason'>): string =>
  reason ? `Support: ${reason}` : 'By support'

function nameOf(line: Line | BetweenLine, driving: boolean): string {
  if (!('kind' in line)) return lineName(line)
  if (line.kind === 'correction') return correctionText(line)
  return line.kind === 'raise'
    ? `Offer raised to ${shortPrice(line.offer ?? 0)}`
    : incidentName(line, driving)
}

/** A late step proved by the sender's own code is a return (R124). */
const lineName = ({ status, step }: Line): string =>
  step?.late && status === 'Cancelled' ? 'Returned to the sender' : status

function incidentName({ kind, reason, name, by }: IncidentLine, driving: boolean): string {
  if (by === 'office') return 'Taken from the driver by support'
  if (kind === 'release')
    return driving
      ? 'Given back by you'
      : `Given back by ${name ? firstNameOf(name) : 'the driver'}`
  if (kind === 'return') return 'On the way back'
  return `Not delivered: ${attemptText(reason)}`
}

/** The driver's own words; those of a return are those of the attempt before it. */
function betweenNote(line: BetweenLine): string | undefined {
  const words = wordsOf(line)
  const clocks = line.state === 'asked' ? waitsForSignal : claimText(line)
  return [words, clocks].filter(Boolean).join(' · ') || undefined
}

function wordsOf(line: BetweenLine): string | undefined {
  if (line.kind === 'raise' || line.kind === 'correction')
    return line.by === 'office' ? supportText(line) : undefined
  return line.kind === 'release' ? line.reason : line.note
}

const requestedNotes: Partial<Record<Status, string>> = {
  Pending: waitsForSignal,
  Accepted: 'Not confirmed yet',
  'Picked Up': waitsForSignal,
  Delivered: waitsForSignal,
  Approved: waitsForSignal,
}
