import { expect, test } from 'vitest'
import { settleDueDeliveries } from '#server/rules/deliveries/due-deliveries.ts'
import { type PageQuery, pageRef } from '#store/deliveries/save/admin-pages.ts'
import { adminMoney } from '#store/queries/admin/admin.ts'
import { listing } from '#store/queries/admin/listings.ts'
import type { Phone } from '../../helpers/device/phone.ts'
import { present } from '../../helpers/server/server.ts'
import { serverOfFile } from '../../sync/server-fixture.ts'

const { server, network, startedPhone } = serverOfFile()
const toPay: PageQuery = { status: 'waiting,failed,reversed', sort: 'createdAt', limit: '10' }

async function look(office: Phone, query = toPay) {
  const leave = office.engine.watch(pageRef('adminPayouts', query))
  await office.settle()
  leave()
  return present(await listing(office.db, 'adminPayouts', query, { page: 0, reachable: true }))
}

test('R183, R184: an admin settles a payout without signal, and reads the figures once it was sent', async () => {
  const yaw = await server().driver()
  const made = await server().delivery(await server().sender(), { offer: 40 })
  await server().drive(made, yaw, 'Delivered')
  const clock = () => server().clock.now() + 49 * 3_600_000
  await settleDueDeliveries({ ...server().ports, clock })
  const office = await startedPhone()
  await office.session.login(server().admin.email, server().admin.password)
  const day = '2026-11-21'
  office.engine.watch({ kind: 'adminMoney', query: `from=${day}&to=${day}` })
  const [payout] = (await look(office)).rows
  expect(payout).toMatchObject({ DeliveryID: made.ID, driver: { name: yaw.user.name }, amount: 40 })
  expect(await adminMoney(office.db)).toMatchObject({ money: { owed: 40 }, days: [{ day }] })

  const { ID } = present(payout)
  const paid = { status: 'paid' as const, reference: 'MP 1', amount: 40 }
  const refusal = { reason: 'invalid', message: 'This payout is GH₵ 40.00.' }
  const { settlePayout } = office.commands
  await expect(settlePayout(ID, { ...paid, amount: 41 })).rejects.toMatchObject(refusal)
  await expect(settlePayout(ID, { retry: true })).rejects.toMatchObject({ reason: 'wrong-status' })
  network().cut()
  await settlePayout(ID, paid)
  const waiting = present(
    await listing(office.db, 'adminPayouts', toPay, { page: 0, reachable: false }),
  )
  expect(waiting.rows).toMatchObject([{ ID, settling: paid }])

  network().restore()
  await office.settle()
  expect((await look(office)).rows).toEqual([])
  const { rows } = await look(office, { status: 'paid', sort: '-createdAt' })
  expect(rows).toMatchObject([{ ID, status: 'paid', reference: 'MP 1' }])
  expect(await adminMoney(office.db)).toMatchObject({ money: { owed: 0, paidOut: 40 } })
  const file = present(await office.exportCsv('payouts', { query: { status: 'paid' } }))
  const lines = (await file.text()).trim().split('\r\n')
  expect(lines[1]).toContain(`${yaw.user.name},40.00,paid,MP 1`)
})
