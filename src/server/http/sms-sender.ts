import type { Log, Ports, SmsMessage } from '../ports/ports.ts'

export type SmsSender = {
  /** Sends without waiting. `log` is that of the request that ordered the messages. */
  send(messages: SmsMessage[] | undefined, log: Log): void
  /** Resolves when every message is sent or has failed. */
  settled(): Promise<unknown>
}

/**
 * Sends SMS after their transaction. No response waits for them, because its duration would show whether a
 * number has an account (R56).
 */
export function smsSender({ sms }: Pick<Ports, 'sms'>): SmsSender {
  const pending = new Set<Promise<void>>()
  return {
    send(messages = [], log) {
      for (const message of messages) {
        const sending = sms
          .send(message)
          .catch((error: unknown) =>
            log.error({ err: error }, 'An SMS was not sent; the person can ask for another'),
          )
          .finally(() => pending.delete(sending))
        pending.add(sending)
      }
    },
    settled: () => Promise.all(pending),
  }
}
