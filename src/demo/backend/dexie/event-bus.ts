import type { ChangeEvent } from '#server/ports/change-events.ts'

type Listener = { onEvent: (event: ChangeEvent, eventId: string) => void; onLost: () => void }

export type EventBus = ReturnType<typeof openEventBus>

/**
 * Delivers change events to every tab of this origin that has the database `name` open, this one
 * included. Without BroadcastChannel the other tabs poll, as any client without an event stream does.
 */
export function openEventBus(name: string) {
  const listeners = new Set<Listener>()
  const channel =
    typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(`${name} news`)
  // Two tabs may hear events in different orders, so an ID is of this tab alone.
  const tab = crypto.randomUUID()
  let heard = 0
  const deliver = (events: ChangeEvent[]) => {
    for (const event of events) {
      heard++
      for (const { onEvent } of listeners) onEvent(event, `${tab}-${heard}`)
    }
  }
  /** Tells the listeners that events may have been missed. */
  const lose = () => {
    for (const { onLost } of listeners) onLost()
  }
  if (channel) {
    channel.onmessage = ({ data }: MessageEvent<ChangeEvent[]>) => deliver(data)
    channel.onmessageerror = lose
  }
  return {
    /** Returns the function that ends the subscription. */
    listen(onEvent: Listener['onEvent'], onLost: Listener['onLost']) {
      const listener = { onEvent, onLost }
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    publish(events: ChangeEvent[]) {
      // A channel does not deliver to the tab that posts.
      channel?.postMessage(events)
      deliver(events)
    },
    lose,
    close() {
      channel?.close()
      listeners.clear()
    },
  }
}
