import { afterAll } from 'vitest'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import type { PaymentMode } from '#domain/deliveries/payment.ts'
import { paystack } from '#server/node/payments/paystack.ts'
import { movePayments } from '#server/rules/payments/sweep.ts'
import { present } from '../present.ts'
import { type Person, type ServerDatabase, startTestServer, testOptions } from '../server/server.ts'
import { standInKey, startStandIn } from './stand-in.ts'

/** A server whose senders pay by a stand-in for the provider, for the tests of a file. */
export async function paidServerFixture(
  options: { feePercent?: number; mode?: PaymentMode } = {},
  database?: ServerDatabase,
) {
  const standIn = await startStandIn()
  const provider = paystack({ secretKey: standInKey, url: standIn.url })
  const { feePercent = 0, mode = 'paystack' } = options
  const server = await startTestServer(database, {
    provider,
    options: { ...testOptions, payments: { mode, feePercent } },
  })
  afterAll(async () => {
    await server.close()
    await standIn.close()
  })
  const { ports, repo, clock } = server
  standIn.behaviour.clock = clock.now
  const rows = (id: string) => repo.read(({ payments }) => payments.ofDelivery(id))

  return {
    ...server,
    standIn,
    /** Payments of a delivery. */
    rows,
    sweep: () => movePayments(ports),
    /** As they are after this time, in milliseconds. */
    async later(by: number) {
      clock.advance(by)
      await movePayments(ports)
    },
    async seen(by: { token: string }, id: string): Promise<Delivery> {
      return present((await server.ask('getDelivery', { token: by.token, id })).value).delivery
    },
    /** A delivery whose payment is held. */
    async held(by: Person, over?: Parameters<typeof server.delivery>[1]): Promise<Delivery> {
      const made = await server.delivery(by, over)
      await movePayments(ports)
      standIn.decide(over?.payer?.phone ?? by.phone, 'success')
      clock.advance(10_000)
      await movePayments(ports)
      return present((await server.ask('getDelivery', { token: by.token, id: made.ID })).value)
        .delivery
    },
    /** Gives a driver a payout number. */
    async payable(by: Person, phone = by.phone) {
      const number = {
        phone,
        network: 'mtn',
        name: 'Kofi Driver',
        from: '2026-01-01T00:00:00.000Z',
      }
      await server
        .pool()
        .query('update users set payout = $2 where id = $1', [by.user.ID, JSON.stringify(number)])
      return by
    },
  }
}
