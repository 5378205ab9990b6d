import {
  fromBase64url,
  type HandoverLink,
  recipientMemory,
  trackSeed,
  trackTokenOf,
} from '#domain/deliveries/handover/handover-link.ts'

/** What the recipient sees of their parcel (R111). `at`: when this was heard, `updatedAt`: when it last changed; ISO 8601. */
export type Parcel = {
  status: string
  itemDescription: string
  senderName: string
  /** Missing from a server of the version before. */
  pickupZone?: string
  dropoffZone?: string
  driver?: { name: string; phone_number?: string }
  at: string
  updatedAt?: string
}

/** How asking ended: with the parcel, with a server that knows no such link, or with no response. */
export type Heard = { parcel: Parcel } | 'unknown' | 'unreachable'

/** Milliseconds between two questions: twice as long after each one that failed, up to five minutes. */
export const nextAfter = (failures: number): number => Math.min(20_000 * 2 ** failures, 300_000)

/** Whether nothing more is to come. */
export const hasEnded = ({ status }: Parcel): boolean =>
  status === 'Approved' || status === 'Cancelled'

/** Asks the server for the parcel of this link. The secret itself is never sent. Never rejects. */
export async function ask({ id, secret }: HandoverLink, now: () => Date): Promise<Heard> {
  try {
    const response = await fetch(`/api/handover/${id}`, {
      headers: { authorization: `Bearer ${await tokenOf(secret)}` },
      cache: 'no-store',
      signal: stopped(20_000),
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

/** The operator's help line (R162), empty where there is none; undefined without a response. Never rejects. */
export async function askHelpLine(): Promise<string | undefined> {
  try {
    const { supportPhone } = await (await fetch('/api/config', { signal: stopped(20_000) })).json()
    return typeof supportPhone === 'string' ? supportPhone : ''
  } catch {
    return undefined
  }
}

/** `AbortSignal.timeout` for the oldest browsers. */
function stopped(after: number): AbortSignal {
  const controller = new AbortController()
  setTimeout(() => controller.abort(), after)
  return controller.signal
}

async function tokenOf(secret: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', trackSeed(fromBase64url(secret)))
  return trackTokenOf(new Uint8Array(hash))
}

function readParcel(response: unknown, at: string): Parcel | undefined {
  const parcel = { ...Object(response), at } as Parcel
  const needed = [parcel.status, parcel.itemDescription, parcel.senderName]
  return needed.every((text) => typeof text === 'string') ? parcel : undefined
}

const prefix = 'soma-recipient:'

/** What was heard last of a parcel, on this phone, for when there is no network. */
export type Memory = {
  last(): Parcel | undefined
  keep(parcel: Parcel): void
  forget(): void
}

/**
 * What this phone remembers under this link. Another secret has another name there, of which the secret cannot
 * be made. Everything that ended a day ago is forgotten (R111). `now`: milliseconds since 1970.
 */
export async function openMemory({ id, secret }: HandoverLink, now: number): Promise<Memory> {
  const token = await tokenOf(secret).catch(() => undefined)
  const name = token && `${prefix}${id}:${token.slice(2, 10)}`
  attempt(() => forgetEnded(now))
  return {
    last: () => attempt(() => (name ? read(name) : undefined)),
    // Full, or forbidden: the status is then not there without a network.
    keep: (parcel) => attempt(() => name && localStorage.setItem(name, JSON.stringify(parcel))),
    forget: () => attempt(() => name && localStorage.removeItem(name)),
  }
}

function forgetEnded(now: number) {
  const names = Object.keys(localStorage).filter((name) => name.startsWith(prefix))
  for (const name of names) {
    const parcel = attempt(() => read(name))
    const isOld = !parcel || now - Date.parse(parcel.updatedAt ?? parcel.at) > recipientMemory
    // Earlier versions named it by the delivery alone.
    const isOfAnySecret = !name.slice(prefix.length).includes(':')
    if (isOfAnySecret || (isOld && (!parcel || hasEnded(parcel)))) localStorage.removeItem(name)
  }
}

const read = (name: string): Parcel | undefined =>
  JSON.parse(localStorage.getItem(name) ?? 'null') ?? undefined

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
