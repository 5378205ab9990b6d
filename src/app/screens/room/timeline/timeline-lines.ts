import {
  type Delivery,
  isStatusStep,
  type Status,
  type StatusChange,
  timelineStatuses,
} from '#domain/deliveries/delivery.ts'
import { lateSteps } from '#domain/deliveries/endings/cancel-hold.ts'
import type { Incident } from '#domain/deliveries/endings/incidents.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { pendingOperation } from '../../../components/delivery/status.tsx'

export type State = 'done' | 'now' | 'asked' | 'ahead' | 'cancelled' | 'setback'
export type Line = { status: Status; state: State; step?: StatusChange }
/** What went another way than planned (R101 to R104). */
export type IncidentLine = Incident & { state: 'setback' | 'asked' }
/** The sender has raised the offer (R169). */
export type RaiseLine = StatusChange & { kind: 'raise'; state: 'done' | 'asked' }
/** The office has corrected the request (R193). */
export type CorrectionLine = StatusChange & { kind: 'correction'; state: 'done' }
type Event = Line | IncidentLine | RaiseLine | CorrectionLine

/** The steps and what came between them, in order of time. */
export function eventsOf(row: DeliveryRow): Event[] {
  const events: Event[] = [...linesOf(row), ...lateLines(row)]
  const confirmed = (row.server ?? row.view).incidents?.length ?? 0
  for (const [index, incident] of (row.view.incidents ?? []).entries()) {
    const state = index < confirmed ? 'setback' : 'asked'
    events.splice(indexFor(events, incident), 0, { ...incident, state })
  }
  const known = raisesIn(row.server ?? row.view).length
  for (const [index, raise] of raisesIn(row.view).entries()) {
    const state = index < known ? 'done' : 'asked'
    events.splice(indexFor(events, raise), 0, { ...raise, kind: 'raise', state })
  }
  for (const step of row.view.history?.filter(({ corrected }) => corrected) ?? [])
    events.splice(indexFor(events, step), 0, { ...step, kind: 'correction', state: 'done' })
  return events
}

const raisesIn = ({ history = [] }: Delivery) => history.filter(({ offer }) => offer !== undefined)

/** What was reported after the cancel (R124); once an admin has released the payment they are steps like others. */
function lateLines({ view, server }: DeliveryRow): Line[] {
  if (view.status !== 'Cancelled') return []
  const confirmed = lateSteps(server ?? view).length
  return lateSteps(view).map((step, at) => ({
    status: step.status,
    state: at < confirmed ? 'setback' : 'asked',
    step,
  }))
}

/** After everything that is not later than it, and never before the request itself. */
function indexFor(events: readonly Event[], { at }: { at: string }): number {
  const last = events.findLastIndex((each) => {
    const time = 'kind' in each ? each.at : each.step?.at
    return time !== undefined && time <= at
  })
  return Math.max(1, last + 1)
}

/** The steps with their states: done, current, requested by this device and not confirmed, or still ahead. */
export function linesOf(row: DeliveryRow): Line[] {
  const { view } = row
  const steps = (view.history ?? []).filter((step) => !step.late && isStatusStep(step))
  const history = new Map(
    [...(view.status === 'Approved' ? lateSteps(view) : []), ...steps].map((step) => [
      step.status,
      step,
    ]),
  )
  // A job that was given back is on offer again; its request was made once.
  const requested = view.history?.find(({ status }) => status === 'Pending')
  if (requested) history.set('Pending', requested)
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
  const lines: Line[] = timelineStatuses.map((status, at) => ({
    status,
    state: stateOf(at, reached, asked),
    step: at <= Math.max(reached, asked) ? history.get(status) : undefined,
  }))
  // What is being brought back is not on its way to Delivered (R104).
  return view.returning ? lines.filter(({ state }) => state !== 'ahead') : lines
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
