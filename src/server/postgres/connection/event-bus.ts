import pg from 'pg'
import type { ChangeEvent } from '../../rules/change-events.ts'
import { closeConnection } from './close-connection.ts'

export const channel = 'soma_news'

type Listener = { onEvent: (news: ChangeEvent) => void; onGap: () => void }

/**
 * One connection that hears what any process announced, for all who listen in this one.
 * When it breaks it is opened anew, and everybody told that some may have been lost.
 */
export function eventBus(url: string) {
  const listeners = new Set<Listener>()
  let client: pg.Client | undefined
  let again: ReturnType<typeof setTimeout> | undefined
  let closed = false

  const open = async () => {
    if (closed || client) return
    const opening = new pg.Client({
      connectionString: url,
      application_name: 'soma news',
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
    opening.on('notification', ({ payload }) => {
      const news: ChangeEvent = JSON.parse(payload ?? '')
      for (const { onEvent } of listeners) onEvent(news)
    })
    try {
      await opening.connect()
      await opening.query(`listen ${channel}`)
      for (const { onGap } of listeners) onGap()
    } catch {
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
