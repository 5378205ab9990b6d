import type { Transport } from '#contract/transport.ts'
import { note } from '../database/device/diagnostics.ts'

/**
 * A transport that gives each request an ID, which the server writes to its log: the request key where
 * there is one. How each ended is noted under the same ID, for whoever looks at the diagnostics.
 */
export function identifyRequests(transport: Transport, newId: () => string): Transport {
  return async (request) => {
    const id = request.headers.get('idempotency-key') ?? newId()
    request.headers.set('x-request-id', id)
    const what = `${request.method} ${new URL(request.url).pathname}`
    try {
      const response = await transport(request)
      // Nothing changed: the most frequent response, and nobody asks about it.
      if (response.status !== 304) note(`${what} ${response.status}`, { request: id })
      return response
    } catch (error) {
      note(`${what} had no response`, { request: id, error })
      throw error
    }
  }
}
