/** `fetch`, or the demo's in-page server. */
export type Transport = (request: Request) => Promise<Response>

const weights = new WeakMap<Request, number>()

/** Notes how many bytes a request carries, which it does not tell itself. */
export function withByteCount(request: Request, bytes: number): Request {
  weights.set(request, bytes)
  return request
}

/** Bytes of the body; 0 where nobody has noted them. */
export const byteCount = (request: Request): number => weights.get(request) ?? 0
