import type * as z from 'zod/mini'
import type { RequestSchema } from '#contract/queries.ts'
import { challengeHeader } from '#contract/transport.ts'
import { Refusal } from '#domain/errors.ts'
import { isStorableText } from '../ports/storable-values.ts'

/** The most bytes a JSON body may have, and the milliseconds it may take: 64 kB at 1 kB/s (R67). */
const jsonBody = { bytes: 65_536, within: 65_000 }

/** What a call sends, whether it comes as a request of its own or in a batch. */
export type Sent = {
  /** Path and query. */
  url: URL
  /** The `Idempotency-Key` as it was sent. */
  key: string | null
  /** The `Occurred-At` as it was sent. */
  occurredAt: string | null
  /** The `X-Challenge` as it was sent. */
  challenge: string | null
  userAgent: string | null
  /** The `If-None-Match` as it was sent. */
  heldTags: string | null
  /** The body, not yet checked; an empty one is `{}`. Refusals: malformed, not-json, too-large. */
  readBody(): Promise<unknown>
}

/** What a request of its own sends. */
export const sentBy = (request: Request): Sent => ({
  url: new URL(request.url),
  key: request.headers.get('idempotency-key'),
  occurredAt: request.headers.get('occurred-at'),
  challenge: request.headers.get(challengeHeader),
  userAgent: request.headers.get('user-agent'),
  heldTags: request.headers.get('if-none-match'),
  readBody: () => readJson(request, jsonBody),
})

/** Refuses a body of a batch that would be too large for a request of its own (R67). Refusals: too-large, invalid. */
export function assertBodyFits(body: unknown): void {
  const text = textOf(body)
  // A character has at most three bytes, so short texts need no encoding.
  if (text.length * 3 <= jsonBody.bytes) return
  if (new TextEncoder().encode(text).length > jsonBody.bytes) throw new Refusal('too-large')
}

function textOf(body: unknown): string {
  try {
    return JSON.stringify(body) ?? ''
  } catch {
    // It is nested so deeply that its text cannot be made; no call takes that.
    throw new Refusal('invalid')
  }
}

const isJson = (type: string) => /^application\/json\s*(;|$)/i.test(type.trim())

/**
 * The JSON of a request; an empty body is `{}`. Other content types are refused, because a page of another site
 * can send them without a preflight (R148). Refusals: malformed, not-json, too-large.
 */
export async function readJson(request: Request, limits: typeof jsonBody): Promise<unknown> {
  const type = request.headers.get('content-type')
  const text = new TextDecoder().decode(await readBytes(request, limits))
  if (type === null ? text !== '' : !isJson(type)) throw new Refusal('not-json')
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal('malformed')
  }
}

/** Refused where the table does not name them, because only admin lists are searched and sorted (R74). */
const adminFields = ['search', 'sort']

/** The query of a request, parsed by its line of the endpoint table. Unknown fields are dropped. Refusal: invalid. */
export function readQuery({ query }: RequestSchema, url: URL): unknown {
  const known =
    query && 'shape' in query._zod.def ? Object.keys(query._zod.def.shape as object) : []
  const refused = adminFields.find((name) => url.searchParams.has(name) && !known.includes(name))
  if (refused) throw new Refusal('invalid', `This list does not take ${refused}.`)
  return query && parse(query, Object.fromEntries(url.searchParams))
}

/** A value by its schema, with texts that can be stored. Refusal: invalid, with a sentence for people. */
export function parse(schema: z.ZodMiniType, value: unknown): unknown {
  const parsed = parseShape(schema, value)
  if (!isStorable(parsed))
    throw new Refusal('invalid', 'The details have a character that cannot be kept.')
  return parsed
}

/** A value by its schema. Refusal: invalid, with a sentence for people. */
export function parseShape<T>(schema: z.ZodMiniType<T>, value: unknown): T {
  const parsed = schema.safeParse(value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const where = issue?.path.length ? `The field ${issue.path.join('.')}` : ''
    const text = issue?.message ?? ''
    // The library's own messages begin with "Invalid" and mean nothing to people; ours are sentences.
    const message = text.startsWith('Invalid') ? where && `${where} is missing or not right.` : text
    throw new Refusal('invalid', message || undefined)
  }
  return parsed.data
}

/** Whether every text in a parsed value can be stored unchanged. The schema bounds the depth. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value)
  return typeof value !== 'object' || value === null || Object.values(value).every(isStorable)
}

/**
 * How much of a body that is too large is read and discarded, in bytes and milliseconds: a client reads the
 * refusal only after it has sent everything.
 */
const discarded = { bytes: 16_000_000, within: 10_000 }

/**
 * The whole body of a request, up to `maxBytes`. Refusals: too-large; malformed, when it does not end
 * `within` so many milliseconds.
 */
export async function readBytes(
  request: Request,
  { bytes: maxBytes, within }: typeof jsonBody,
): Promise<Uint8Array<ArrayBuffer>> {
  // The demo's page: Firefox has no `body` stream on a request.
  const reader = request.body
    ? request.body.getReader()
    : new Response(await request.arrayBuffer()).body?.getReader()
  if (!reader) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let length = 0
  let until = Date.now() + within
  for (;;) {
    const next = await readBefore(reader, until)
    if (next === 'too late') throw new Refusal(length > maxBytes ? 'too-large' : 'malformed')
    if (next.done) break
    if (length <= maxBytes && length + next.value.length > maxBytes) {
      chunks.length = 0
      until = Math.min(until, Date.now() + discarded.within)
    }
    length += next.value.length
    if (length > maxBytes + discarded.bytes) break
    if (length <= maxBytes) chunks.push(next.value)
  }
  if (length > maxBytes) throw new Refusal('too-large')
  return concatBytes(chunks, length)
}

type Reader = ReadableStreamDefaultReader<Uint8Array>

/** The next chunk, or 'too late' when it does not come before `until` (milliseconds since 1970). */
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

/** The `Occurred-At` header as ISO 8601 in UTC: when the person says they acted (R31). Refusal: invalid. */
export function readOccurredAt(header: string | null): string | undefined {
  if (header === null) return undefined
  const time = Date.parse(header)
  if (Number.isNaN(time) || header.length > 40)
    throw new Refusal('invalid', 'Occurred-At must be an ISO 8601 time.')
  return new Date(time).toISOString()
}
