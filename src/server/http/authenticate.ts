import type { By } from '#contract/endpoints.ts'
import type { Ask } from '#contract/queries.ts'
import type { Actor } from '#domain/delivery.ts'
import { Refusal } from '#domain/errors.ts'
import type { Ports } from '../ports/ports.ts'
import { isGuestToken } from '../ports/secrets.ts'
import { isStorableText } from '../ports/storable-values.ts'

/** Who stands at the door, and by which session. */
export type Caller = { actor?: Actor; session?: string }

const day = 24 * 60 * 60 * 1000
/** Milliseconds a session lives unused, and at most. That it is in use is noted once a day. */
export const sessionLifetime = { unused: 90 * day, whole: 180 * day }

/** Milliseconds a guest's token lives after their delivery was approved or cancelled. */
export const guestTokenLifetime = 30 * day

/** Who a token belongs to; nobody, when it is none of ours or dead. */
export async function authenticate(
  { repo, secrets, clock }: Ports,
  header: string | null,
): Promise<Caller> {
  const token = header?.match(/^bearer +([\w-]{20,100})$/i)?.[1]
  if (!token) return {}
  const hash = secrets.hash(token)
  return repo.read(async ({ sessions, guestTokens }) => {
    if (isGuestToken(token)) {
      const endedBefore = new Date(clock() - guestTokenLifetime).toISOString()
      const guestOf = await guestTokens.find(hash, endedBefore)
      return guestOf ? { actor: { guestOf } } : {}
    }
    const found = await sessions.find(hash)
    const idle = found ? clock() - Date.parse(found.usedAt) : 0
    const age = found ? clock() - Date.parse(found.createdAt) : 0
    if (!found || idle > sessionLifetime.unused || age > sessionLifetime.whole) return {}
    if (idle > day) await sessions.touch(hash, new Date(clock()).toISOString())
    return { actor: { user: found.user }, session: hash }
  })
}

/** Lets in who may make this call at all. Refusals: no-session, not-allowed, not-a-driver. */
export function authorize(by: By, { actor }: Caller): void {
  if (by === 'anyone' || by === 'anyone-or-person') return
  if (!actor) throw new Refusal('no-session')
  if (by === 'person-or-guest') return
  if (by === 'guest') {
    if ('user' in actor) throw new Refusal('not-allowed')
    return
  }
  // A guest's token opens three calls and no others.
  if (!('user' in actor)) throw new Refusal('no-session')
  if (by === 'driver' && actor.user.role !== 'driver') throw new Refusal('not-a-driver')
  if (by === 'admin' && actor.user.role !== 'admin') throw new Refusal('not-allowed')
}

/** Bytes of a JSON body. */
const maxJsonBytes = 65_536

/** A call's body as the table reads it. Refusals: malformed, invalid, too-large. */
export async function readInput({ takes }: Ask, request: Request): Promise<unknown> {
  const text = new TextDecoder().decode(await readBytes(request, maxJsonBytes))
  let body: unknown = {}
  if (text.trim() !== '')
    try {
      body = JSON.parse(text)
    } catch {
      throw new Refusal('malformed')
    }
  return takes && parse(takes, body)
}

/** Fields that reach into what a list is made from: where the table does not name them, they are refused. */
const adminFields = ['search', 'sort']

/** A call's query as the table reads it; fields it does not know are left out. Refusal: invalid. */
export function readQuery({ query }: Ask, url: URL): unknown {
  const known =
    query && 'shape' in query._zod.def ? Object.keys(query._zod.def.shape as object) : []
  const refused = adminFields.find((name) => url.searchParams.has(name) && !known.includes(name))
  if (refused) throw new Refusal('invalid', `This list does not take ${refused}.`)
  return query && parse(query, Object.fromEntries(url.searchParams))
}

function parse(schema: NonNullable<Ask['takes']>, value: unknown): unknown {
  const parsed = schema.safeParse(value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const where = issue?.path.length ? `The field ${issue.path.join('.')}` : ''
    const said = issue?.message ?? ''
    // Those of our own making are sentences; the library's say nothing to people.
    const message = said.startsWith('Invalid') ? where && `${where} is missing or not right.` : said
    throw new Refusal('invalid', message || undefined)
  }
  if (!isStorable(parsed.data))
    throw new Refusal('invalid', 'The details have a character that cannot be kept.')
  return parsed.data
}

/** Whether every text in it can be kept as it is. What was parsed is as shallow as its schema. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value)
  return typeof value !== 'object' || value === null || Object.values(value).every(isStorable)
}

/** Bytes read past the limit, and milliseconds, before saying so: a client that is still sending would not hear it. */
const discarded = { bytes: 16_000_000, within: 10_000 }

/** Milliseconds a body within the limit may take: 64 kB at 1 kB/s. */
const maxBodyTime = 65_000

/** The whole body, when it is no longer than this. Refusals: too-large; malformed, when it does not come to its end. */
export async function readBytes(request: Request, most: number): Promise<Uint8Array<ArrayBuffer>> {
  // Firefox, where this runs in a page, has no streams of a request it was given.
  const reader = request.body
    ? request.body.getReader()
    : new Response(await request.arrayBuffer()).body?.getReader()
  if (!reader) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let length = 0
  let until = Date.now() + maxBodyTime
  for (;;) {
    const next = await readBefore(reader, until)
    if (next === 'too late') throw new Refusal(length > most ? 'too-large' : 'malformed')
    if (next.done) break
    if (length <= most && length + next.value.length > most) {
      chunks.length = 0
      until = Math.min(until, Date.now() + discarded.within)
    }
    length += next.value.length
    if (length > most + discarded.bytes) break
    if (length <= most) chunks.push(next.value)
  }
  if (length > most) throw new Refusal('too-large')
  return concatBytes(chunks, length)
}

type Reader = ReadableStreamDefaultReader<Uint8Array>

/** The next piece, unless it takes longer than until then. */
async function readBefore(reader: Reader, until: number) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<'too late'>((resolve) => {
    timer = setTimeout(() => resolve('too late'), Math.max(0, until - Date.now()))
  })
  try {
    return await Promise.race([reader.read(), late])
  } finally {
    clearTimeout(timer)
  }
}

function concatBytes(chunks: Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

/** When the person says they acted, in the one way times are written. Refusal: invalid. */
export function readOccurredAt(header: string | null): string | undefined {
  if (header === null) return undefined
  const time = Date.parse(header)
  if (Number.isNaN(time) || header.length > 40)
    throw new Refusal('invalid', 'Occurred-At must be an ISO 8601 time.')
  return new Date(time).toISOString()
}
