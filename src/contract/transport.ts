/** `fetch`, or the demo's in-page server. */
export type Transport = (request: Request) => Promise<Response>

const byteCounts = new WeakMap<Request, number>()

/** Attaches the size of its body to a request, which a `Request` does not expose (S25). */
export function withByteCount(request: Request, bytes: number): Request {
  byteCounts.set(request, bytes)
  return request
}

/** Bytes of the body; 0 when the size was not attached. */
export const byteCount = (request: Request): number => byteCounts.get(request) ?? 0

/**
 * Sent now and then: `<support code>.<number of unsent entries>`, so that an admin can look a phone up
 * (R92).
 */
export const supportHeader = 'x-support'

/** The solution of the challenge that a response 429 brought (R143). */
export const challengeHeader = 'x-challenge'
