import {
  type Actor,
  isDriverOf,
  type Status,
  type StatusChange,
  timelineStatuses,
} from '#domain/deliveries/delivery.ts'
import { wasCreateRefused } from '#store/deliveries/project.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { isThrottled, pendingOperation } from '../../components/delivery/status.tsx'
import { waitsForSignal } from '../../texts/next-step.ts'
import { clockTime, timeOrDate } from '../../texts/time.ts'

type State = 'done' | 'now' | 'asked' | 'ahead' | 'cancelled'

const names: Record<State, string> = {
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
}

/** The delivery's steps; a Cancelled delivery shows only those it went through (R23). */
export function Timeline({ row, who }: { row: DeliveryRow; who: Actor | undefined }) {
  const driving = who !== undefined && 'user' in who && isDriverOf(row.view, who.user)
  const lines = linesOf(row)
  return (
    <ol aria-label="Delivery status" aria-live="polite">
      {lines.map(({ status, state, step }, at) => (
        <li
          key={status}
          aria-current={state === 'now' ? 'step' : undefined}
          className="relative grid min-h-13 last:min-h-0 grid-cols-[26px_minmax(0,1fr)] gap-2.5"
        >
          {at < lines.length - 1 && (
            <span
              aria-hidden="true"
              className={`absolute top-6 bottom-0.5 left-3 border-l-[2.5px] ${state === 'done' ? 'border-green' : 'border-line'}`}
            />
          )}
          <span
            aria-hidden="true"
            className={`mx-auto mt-1 size-3.5 rotate-45 rounded-[3px] border-[2.5px] ${diamonds[state]}`}
          />
          <span className={`grid content-start ${at < lines.length - 1 ? 'pb-3' : ''}`}>
            <span className="flex flex-wrap items-baseline justify-between gap-x-2">
              <span className={state === 'ahead' ? 'text-soft' : 'font-bold'}>
                {status}
                <span className="sr-only">, {names[state]}</span>
              </span>
              <span className="text-sm text-soft">
                {step && timeOrDate(step.occurredAt ?? step.at)}
              </span>
            </span>
            <Note text={noteOf(row, { status, state, step }, driving)} />
          </span>
        </li>
      ))}
    </ol>
  )
}

const Note = ({ text }: { text: string | undefined }) =>
  text ? <span className="text-sm text-soft">{text}</span> : null

const refusedNote = ({ marks }: DeliveryRow) =>
  marks[0]?.error?.reason === 'lost' ? 'Lost on our side' : 'Not accepted'

function noteOf(row: DeliveryRow, { status, state, step }: Line, driving: boolean) {
  if (wasCreateRefused(row)) return state === 'asked' ? refusedNote(row) : undefined
  if (state === 'asked')
    return isThrottled(pendingOperation(row)) ? 'Too many attempts' : requestedNotes[status]
  if (state === 'ahead' || !step) return undefined
  if (status === 'Accepted' && row.view.driver)
    return driving ? 'By you' : `${row.view.driver.name}${state === 'now' ? ' is on the way' : ''}`
  // A step taken offline reached the server later than it happened (R31).
  const late = step.occurredAt && Date.parse(step.at) - Date.parse(step.occurredAt) > 60_000
  return late && step.occurredAt
    ? `${clockTime(step.occurredAt)} · synced ${clockTime(step.at)}`
    : undefined
}

const requestedNotes: Partial<Record<Status, string>> = {
  Pending: waitsForSignal,
  Accepted: 'Not confirmed yet',
  'Picked Up': waitsForSignal,
  Delivered: 'Code not confirmed yet',
  Approved: waitsForSignal,
}

type Line = { status: Status; state: State; step?: StatusChange }

/** The steps with their states: done, current, requested by this device and not confirmed, or still ahead. */
export function linesOf(row: DeliveryRow): Line[] {
  const { view } = row
  const history = new Map((view.history ?? []).map((step) => [step.status, step]))
  const confirmed = confirmedStatus(row)
  if (view.status === 'Cancelled' && confirmed === 'Cancelled') {
    const walked = timelineStatuses.filter((status) => history.has(status))
    const lines: Line[] = walked.map((status) => ({
      status,
      state: 'done',
      step: history.get(status),
    }))
    return [...lines, { status: 'Cancelled', state: 'cancelled', step: history.get('Cancelled') }]
  }
  const order: readonly (Status | undefined)[] = timelineStatuses
  const reached = order.indexOf(confirmed)
  const asked = order.indexOf(view.status)
  return timelineStatuses.map((status, at) => ({
    status,
    state: stateOf(at, reached, asked),
    step: at <= Math.max(reached, asked) ? history.get(status) : undefined,
  }))
}

function stateOf(at: number, reached: number, asked: number): State {
  // The last step is shown as done, not as current.
  if (at === reached && at < timelineStatuses.length - 1) return 'now'
  if (at <= reached) return 'done'
  return at <= asked ? 'asked' : 'ahead'
}

/** The server's status; undefined when the server does not know the delivery. */
function confirmedStatus(row: DeliveryRow): Status | undefined {
  if (!row.known) return undefined
  return pendingOperation(row) ? (row.server ?? row.view).status : row.view.status
}
