import { setTimeout as pause } from 'node:timers/promises'
import { readEvents } from '../../helpers/server/event-reader.ts'
import type { Caller } from './caller.ts'
import type { Journal } from './journal.ts'

export type Phone = ReturnType<typeof openPhone>

type List = 'availableDeliveries' | 'adminDeliveries'

/** A phone that keeps one list by cursors: what it holds is what the whole list would show (R73). */
export function openPhone(list: List, token: string, { read }: Caller) {
  const rows = new Map<string, string>()
  let since: string | undefined

  /** Every page of the list, or of what changed since the cursor; the first page has the new cursor. */
  async function pull() {
    let after: string | undefined
    let cursor: string | undefined
    do {
      const answer = await read(list, { token, query: { since, after, limit: '500' } })
      if (after === undefined && !answer.removed) rows.clear()
      cursor ??= answer.cursor
      for (const { ID, updatedAt, status } of answer.deliveries)
        rows.set(ID, `${status} ${updatedAt}`)
      for (const id of answer.removed ?? []) rows.delete(id)
      after = answer.next
    } while (after !== undefined)
    since = cursor
  }

  return {
    pull,
    ids: () => [...rows.keys()],
    /** The rows as text, to compare two phones. */
    rows: () => [...rows].map(([id, state]) => `${id} ${state}`).sort(),
  }
}

/** Keeps an event stream open as a phone does, and pulls when it must. Until `isOver`. */
export async function follow(
  origin: string,
  token: string,
  phone: Phone,
  journal: Journal,
  isOver: () => boolean,
): Promise<void> {
  let lastId: string | undefined
  while (!isOver()) {
    const stream = await openStream(origin, token, lastId)
    if (!stream) {
      await pause(300 + Math.random() * 500)
      continue
    }
    const seen = { resets: 0, news: 0 }
    while (!isOver() && !stream.hasEnded()) {
      const resets = stream.messages.filter(({ event }) => event === 'reset').length
      const news = stream.news().length
      const hello = stream.hello()
      const mustPull = seen.news < news || seen.resets < resets
      journal.now().resets += resets - seen.resets
      Object.assign(seen, { resets, news })
      lastId = stream.messages.findLast(({ id }) => id)?.id ?? lastId
      if (hello && mustPull) await phone.pull()
      await pause(250)
    }
    stream.stop()
    if (!isOver()) {
      journal.now().streamsEnded++
      await phone.pull()
    }
  }
}

async function openStream(origin: string, token: string, lastId: string | undefined) {
  const headers = new Headers({ authorization: `Bearer ${token}`, accept: 'text/event-stream' })
  if (lastId) headers.set('last-event-id', lastId)
  const response = await fetch(`${origin}/api/events`, { headers }).catch(() => undefined)
  if (response?.ok) return readEvents(response)
  await response?.body?.cancel()
  return undefined
}
