import type { Hono } from 'hono'
import { readBytes } from '../http/read-request.ts'
import { type Env, requestLog } from '../http/request-log.ts'
import { errorResponse, jsonResponse } from '../http/responses.ts'
import type { Ports } from '../ports/ports.ts'
import { askAgain } from '../rules/payments/ask-again.ts'

/** The most bytes of an event, and the milliseconds it may take. */
const limits = { bytes: 256_000, within: 30_000 }

/**
 * The payment provider says that something has changed (R180). An event proves nothing and moves nothing: the payment is
 * asked about at once. 401 for a wrong signature. Adds no route where there is no provider.
 */
export function paymentWebhook(app: Hono<Env>, { provider, repo, clock, log }: Ports) {
  if (!provider) return
  app.post('/api/payments/paystack/webhook', async (c) => {
    try {
      const body = await readBytes(c.req.raw, limits)
      const event = provider.readWebhook(body, c.req.header('x-paystack-signature') ?? null)
      if (!event) {
        requestLog(log, c).warn({}, 'An event of the payment provider has a wrong signature')
        return jsonResponse(401, { error: 'The signature is wrong.', reason: 'no-session' })
      }
      await askAgain({ repo, clock }, event.reference ?? '')
      return jsonResponse(200, { message: 'Thank you.' })
    } catch (error) {
      return errorResponse(error, requestLog(log, c), 'webhook')
    }
  })
}
