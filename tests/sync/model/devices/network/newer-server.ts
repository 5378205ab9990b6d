import type { Fate } from './faults.ts'

/** As a server of a later version might word it. */
const laterStatus = 'At The Locker'

/**
 * The text of an answer as a newer server would give it. `newer rows`: every delivery has fields this
 * version does not know, and one in two a status it does not know; `newer reasons`: a refusal has a
 * reason it does not know.
 */
export function asNewerServer(fate: Fate | undefined, text: string): string {
  if (fate !== 'newer rows' && fate !== 'newer reasons') return text
  const body = parsed(text)
  if (!body) return text
  if (fate === 'newer reasons')
    return 'reason' in body ? JSON.stringify({ ...body, reason: 'locker-full' }) : text
  const { deliveries, delivery } = body
  if (Array.isArray(deliveries))
    return JSON.stringify({ ...body, deliveries: deliveries.map(newerRow) })
  return delivery ? JSON.stringify({ ...body, delivery: newerRow(delivery as Row) }) : text
}

type Row = { ID: string }

const newerRow = (row: Row) => ({
  ...row,
  lockerNumber: 7,
  // The same rows each time, so that asking again changes nothing.
  ...(Number.parseInt(row.ID.slice(-2), 16) % 2 === 0 ? { status: laterStatus } : {}),
})

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
