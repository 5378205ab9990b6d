import type { ChangeEvent } from '../../ports/change-events.ts'

/** Bytes; PostgreSQL refuses a payload of 8,000. */
const maxPayload = 7_900
/** Bytes of a piece before base64, which makes four of three. */
const pieceSize = 5_400

/** A piece of an event that is too large for one payload: `#<number from 1>/<number of pieces>:<base64>`. */
const piecePattern = /^#(\d+)\/(\d+):(.*)$/

/**
 * The payloads of NOTIFY for one event, with a new ID. A large one is cut: PostgreSQL delivers the
 * notifications of one transaction together and in their order.
 */
export function payloadsOf(event: ChangeEvent): string[] {
  const text = JSON.stringify({ ...event, eventId: newEventId() })
  const bytes = Buffer.from(text)
  if (bytes.length <= maxPayload) return [text]
  const count = Math.ceil(bytes.length / pieceSize)
  return Array.from({ length: count }, (_, at) => {
    const piece = bytes.subarray(at * pieceSize, (at + 1) * pieceSize)
    return `#${at + 1}/${count}:${piece.toString('base64')}`
  })
}

/** Reads the payloads of one connection: gives the event that each completes, with its ID. */
export function payloadReader() {
  let pieces: Buffer[] = []
  return (payload: string): { event: ChangeEvent; eventId: string } | undefined => {
    const [number, count, base64 = ''] = payload.match(piecePattern)?.slice(1) ?? []
    if (number === undefined) return parse(payload)
    if (number === '1') pieces = []
    pieces.push(Buffer.from(base64, 'base64'))
    return number === count ? parse(Buffer.concat(pieces).toString()) : undefined
  }
}

function parse(text: string) {
  // A process of the previous version sends no ID; then processes give the event different ones.
  const { eventId = newEventId(), ...event }: ChangeEvent & { eventId?: string } = JSON.parse(text)
  return { event, eventId }
}

const newEventId = () =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(9))).toString('base64url')
