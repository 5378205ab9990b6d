import type { Sms } from '../../ports/ports.ts'
import type { Push } from '../../ports/push-port.ts'
import type { NodeMetrics } from '../metrics.ts'

type Counter = Pick<NodeMetrics, 'sent'>

/** The SMS service, with each message counted by its outcome. */
export const countedSms = (sms: Sms, metrics: Counter): Sms => ({
  async send(message) {
    try {
      await sms.send(message)
      metrics.sent('sms', 'sent')
    } catch (error) {
      metrics.sent('sms', 'failed')
      throw error
    }
  },
})

/** The push services, with each message counted by its outcome. */
export const countedPush = (push: Push, metrics: Counter): Push => ({
  ...push,
  async send(to, message) {
    const outcome = await push.send(to, message)
    metrics.sent('push', outcome)
    return outcome
  },
})
