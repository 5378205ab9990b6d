import {
  fromBase64url,
  type HandoverLink,
  trackSeed,
  trackTokenOf,
} from '#domain/deliveries/handover-link.ts'

/** What the recipient sees of their parcel (R111). `at`: when this was heard, ISO 8601. */
export type Parcel = {
  status: string
  itemDescription: string
  senderName: string
  driver?: { name: string; phone_number?: string }
  at: string
}

/** How asking ended: with the parcel, with a server that knows no such link, or with no answer. */
export type Heard = { parcel: Parcel } | 'unknown' | 'unreachable'

/** Milliseconds between two questions: twice as long after each one that failed, up to five minutes. */
export const nextAfter = (failures: number): number => Math.min(20_000 * 2 ** failures, 300_000)

/** Whether nothing more is to come. */
export const hasEnded = ({ status }: Parcel): boolean =>
  status === 'Approved' || status === 'Cancelled'

/** Asks the server for the parcel of this link. The secret itself is never sent. Never rejects. */
export async function ask({ id, secret }: HandoverLink, now: () => Date): Promise<Heard> {
  try {
    const hash = await crypto.subtle.digest('SHA-256', trackSeed(fromBase64url(secret)))
    const response = await fetch(`/api/handover/${id}`, {
      headers: { authorization: `Bearer ${trackTokenOf(new Uint8Array(hash))}` },
      cache: 'no-store',
      signal: AbortSignal.timeout(20_000),
    })
    if (response.status === 401 || response.status === 404) {
      // A portal's 404 is a page; the server's own is JSON.
      const { reason } = await response.json()
      return reason === undefined ? 'unreachable' : 'unknown'
    }
    if (!response.ok) return 'unreachable'
    const parcel = readParcel((await response.json()).handover, now().toISOString())
    return parcel ? { parcel } : 'unreachable'
  } catch {
    return 'unreachable'
  }
}

function readParcel(answer: unknown, at: string): Parcel | undefined {
  const found = Object(answer) as Partial<Parcel>
  const { status, itemDescription, senderName, driver } = found
  const isWhole = [status, itemDescription, senderName].every((text) => typeof text === 'string')
  return isWhole ? ({ status, itemDescription, senderName, driver, at } as Parcel) : undefined
}

const nameFor = ({ id }: HandoverLink) => `soma-recipient:${id}`

/** What was heard last, kept on this phone for when there is no network. */
export function lastHeard(link: HandoverLink): Parcel | undefined {
  try {
    return JSON.parse(localStorage.getItem(nameFor(link)) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

export function keep(link: HandoverLink, parcel: Parcel): void {
  try {
    localStorage.setItem(nameFor(link), JSON.stringify(parcel))
  } catch {
    // Full, or forbidden: the status is then not there without a network.
  }
}
