import type { PaymentOutcome, PaymentProvider } from '#server/ports/payment-provider.ts'
import { personas } from '../simulation/personas.ts'
import { residents } from '../simulation/residents.ts'
import type { BookLine, DemoDb } from './demo-db.ts'
import { wasAdded } from './dexie/database.ts'

/**
 * The demo's payment provider, over a book that all tabs share. The visitor answers the prompt of a charge in the inbox;
 * simulated residents approve theirs, and payouts and refunds arrive, by the time they are asked about.
 */
export function bookProvider(db: DemoDb, clock: () => number): PaymentProvider {
  const { payments } = db

  /** It takes each reference once. */
  async function add(line: Omit<BookLine, 'status' | 'at'>): Promise<PaymentOutcome> {
    const added = await wasAdded(payments.add({ ...line, status: 'sent', at: clock() }))
    return added ? { status: 'sent' } : refused('This reference was used before.')
  }

  const find = (reference: string): Promise<PaymentOutcome | undefined> =>
    db.transaction('rw', payments, async () => {
      const line = await payments.get(reference)
      if (!line) return undefined
      const { message, pesewas, promptedAt } = line
      if (line.status !== 'sent') return { status: line.status, message, pesewas }
      if (promptedAt !== undefined) return { status: 'sent', pesewas }
      await payments.update(reference, { status: 'paid' })
      return { status: 'paid', pesewas }
    })

  return {
    async charge({ reference, pesewas, phone }) {
      const promptedAt = isResident(phone) ? undefined : clock()
      const said = await add({ kind: 'charge', reference, pesewas, phone, promptedAt })
      return { message: 'Approve the prompt in the SMS inbox of the demo.', ...said }
    },
    submitOtp: async () => refused('No voucher is asked for.'),
    verify: find,
    refund: ({ id, charge, pesewas }) =>
      db.transaction('rw', payments, async () => {
        const paid = await payments.get(charge)
        const before = await payments.filter((line) => line.charge === charge).toArray()
        const given = before.reduce((sum, line) => sum + line.pesewas, 0)
        if (paid?.status !== 'paid' || given + pesewas > paid.pesewas)
          return refused('It is more than what is left of the charge.')
        return add({ kind: 'refund', reference: id, pesewas, charge })
      }),
    findRefund: ({ id }) => find(id),
    payout: ({ reference, pesewas, phone }) => add({ kind: 'payout', reference, pesewas, phone }),
    verifyPayout: find,
    // Nobody sends events to a page.
    readWebhook: () => undefined,
    list: (since) => payments.filter(({ at }) => at >= Date.parse(since)).toArray(),
  }
}

const refused = (message: string): PaymentOutcome => ({ status: 'failed', message })

const personaPhones = new Set<string>(Object.values(personas).map(({ phone }) => phone))
const residentPhones = new Set(residents.map(({ phone }) => phone))

/** Whether the number is one of the city's, and nobody's as whom the visitor acts. */
const isResident = (phone: string) => residentPhones.has(phone) && !personaPhones.has(phone)
