import pg from 'pg'
import type { ChangeEvent } from '../../ports/change-events.ts'
import type { Log } from '../../ports/ports.ts'
import { closeConnection } from './close-connection.ts'
import { payloadReader } from './event-payloads.ts'
import { recordIncarnation } from './incarnations.ts'

/** The channel of NOTIFY. Processes of two versions may run at once, so the name stays. */
export const channel = 'soma_news'

type Listener = { onEvent: (event: ChangeEvent, eventId: string) => void; onGap: () => void }

/**
 * One connection that receives the events of every server process over this database, for all listeners
 * of this process (R75). When it breaks it is opened again, and `onGap` tells the listeners that events
 * may have been lost.
 */
export function eventBus(url: string, log?: Pick<Log, 'warn'>) {
  const listeners = new Set<Listener>()
  let client: pg.Client | undefined
  let again: ReturnType<typeof setTimeout> | undefined
  let closed = false
  let isReported = false

  const open = async () => {
    if (closed || client) return
    const opening = new pg.Client({
      connectionString: url,
      application_name: 'soma events',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
    })
    client = opening
    opening.on('error', () => undefined)
    const openLater = () => {
      if (client !== opening) return
      client = undefined
      if (!closed) again = setTimeout(open, 1_000)
    }
    opening.once('end', openLater)
    const read = payloadReader()
    opening.on('notification', ({ payload = '' }) => {
      const found = read(payload)
      if (found) for (const { onEvent } of listeners) onEvent(found.event, found.eventId)
    })
    try {
      await opening.connect()
      await recordIncarnation(opening)
      await opening.query(`listen ${channel}`)
      isReported = false
      for (const { onGap } of listeners) onGap()
    } catch (error) {
      if (!isReported && !closed)
        log?.warn(
          { err: error },
          'Events of the database are not received; the connection is tried every second',
        )
      isReported = true
      openLater()
      await opening.end().catch(() => undefined)
    }
  }

  return {
    listen(onEvent: Listener['onEvent'], onGap: Listener['onGap']) {
      const listener = { onEvent, onGap }
      listeners.add(listener)
      void open()
      return () => {
        listeners.delete(listener)
      }
    },
    async close() {
      closed = true
      clearTimeout(again)
      await closeConnection(client)
    },
  }
}
