import { networkOf } from '#domain/mobile-money/networks.ts'
import type { Ports } from '#server/ports/ports.ts'
import { askAgain } from '#server/rules/payments/ask-again.ts'
import { startPayments } from '#server/rules/payments/sweep.ts'
import { residents } from '../simulation/residents.ts'
import { bookProvider } from './book-provider.ts'
import type { DemoDb } from './demo-db.ts'

/**
 * Begins to move the money that senders pay by the demo's provider. Every tab may do so at once: each payment is taken by
 * one (R177).
 */
export async function openPayments(ports: Ports, demoDb: DemoDb) {
  await addPayoutNumbers(ports)
  const stop = startPayments({ ...ports, provider: bookProvider(demoDb, ports.clock) })
  return {
    /** What the visitor does with a prompt: once, in one of the tabs. The server asks about it at once. */
    async answer(reference: string, status: 'paid' | 'failed'): Promise<void> {
      const answered = await demoDb.payments
        .where({ reference })
        .and(({ promptedAt }) => promptedAt !== undefined)
        .modify((line) => {
          delete line.promptedAt
          line.status = status
          if (status === 'failed') line.message = 'The prompt was declined.'
        })
      if (answered > 0) await askAgain(ports, reference)
    },
    stop,
  }
}

/** Drivers of the city who have none are paid to the number that they sign in with. */
const addPayoutNumbers = ({ repo, clock }: Ports) =>
  repo.transaction(async ({ users, publish }) => {
    const from = new Date(clock()).toISOString()
    for (const { id, name, phone, driverStatus } of residents) {
      const user = driverStatus === 'approved' ? await users.lock(id) : undefined
      const network = networkOf(phone)
      if (!user || user.payout || !network) continue
      await users.change(id, { payout: { phone, network, name, from } })
      await publish({ about: 'me', to: [id] })
    }
  })
