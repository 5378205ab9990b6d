import { type ChangeEvent, formFor, type Receiver } from '../ports/change-events.ts'

/** An event as streams send it. Each form is written once, however many streams get it. */
export type RecentEvent = {
  id: string
  /** Milliseconds since 1970. */
  at: number
  event: ChangeEvent
  advert?: Uint8Array
  change?: Uint8Array
}

const maxEvents = 2_000
/** Milliseconds. */
const maxAge = 10 * 60 * 1000

export type RecentEvents = ReturnType<typeof recentEvents>

/**
 * The events that this process heard last, so that a stream which broke off continues after the last event
 * its client has received (R94). A position is the ID of the newest event at that moment.
 */
export function recentEvents(clock: () => number) {
  let events: RecentEvent[] = []
  /** The position before the first event that is held. */
  let start: string = newPosition()

  function dropOld() {
    const isOld = ({ at }: RecentEvent) => at < clock() - maxAge
    const excess = events.length - maxEvents
    const kept = events.findIndex((each, index) => index >= excess && !isOld(each))
    const dropped = kept < 0 ? events.length : kept
    start = events[dropped - 1]?.id ?? start
    events = events.slice(dropped)
  }

  return {
    add(id: string, event: ChangeEvent): RecentEvent {
      const added: RecentEvent = { id, at: clock(), event }
      events.push(added)
      // Not at every event, because dropping copies the array.
      if (events.length > maxEvents * 1.1) dropOld()
      return added
    },
    position: (): string => events.at(-1)?.id ?? start,
    /** The events after this position, oldest first; `undefined` when some may be missing. */
    after(position: string): RecentEvent[] | undefined {
      dropOld()
      if (position === start) return events
      const at = events.findLastIndex(({ id }) => id === position)
      return at < 0 ? undefined : events.slice(at + 1)
    },
    /** Call it when events may have been lost: earlier positions become unknown. */
    forget() {
      events = []
      start = newPosition()
    },
  }
}

const newPosition = () => crypto.randomUUID()

/** The bytes of this event for one receiver; `undefined` when it is not for them. */
export function bytesFor(receiver: Receiver, recent: RecentEvent): Uint8Array | undefined {
  const form = formFor(receiver, recent.event)
  if (!form) return undefined
  recent[form] ??= messageBytes('news', recent.id, contentOf(recent.event, form))
  return recent[form]
}

function contentOf({ about, id, offer }: ChangeEvent, form: 'advert' | 'change'): object {
  return form === 'advert' ? { about, id, ...offer } : { about, id }
}

const encoder = new TextEncoder()

/** One message of a stream. */
export const messageBytes = (event: string, id: string, data: object): Uint8Array =>
  encoder.encode(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`)

/** Keeps a silent connection open and carries the current position. */
export const heartbeatBytes = (position: string): Uint8Array =>
  encoder.encode(`id: ${position}\n: ${position}\n\n`)
