import pg from 'pg'
import type { News } from '../rules/change-events.ts'
import { farewell } from './close-connection.ts'

export const channel = 'soma_news'

type Listener = { hear: (news: News) => void; lost: () => void }

/**
 * One connection that hears what any process announced, for all who listen in this one.
 * When it breaks it is opened anew, and everybody told that some may have been lost.
 */
export function newsWire(url: string) {
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
      const news: News = JSON.parse(payload ?? '')
      for (const { hear } of listeners) hear(news)
    })
    try {
      await opening.connect()
      await opening.query(`listen ${channel}`)
      for (const { lost } of listeners) lost()
    } catch {
      openLater()
      await opening.end().catch(() => undefined)
    }
  }

  return {
    listen(hear: Listener['hear'], lost: Listener['lost']) {
      const listener = { hear, lost }
      listeners.add(listener)
      void open()
      return () => {
        listeners.delete(listener)
      }
    },
    async close() {
      closed = true
      clearTimeout(again)
      await farewell(client)
    },
  }
}
