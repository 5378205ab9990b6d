import { beforeEach, expect, test } from 'vitest'
import { deliveryRow } from '#store/queries/deliveries.ts'
import { SomaDb } from '#store/soma-db.ts'
import { pullScreen } from '#store/worker.ts'
import { createClock, type createPhone } from '../../helpers/device/phone.ts'
import type { Person } from '../../helpers/server/server.ts'
import { serverOfFile } from '../../sync/server-fixture.ts'

const { server, network, newPhone } = serverOfFile()

let phone: ReturnType<typeof createPhone>
const clock = createClock()
beforeEach(() => {
  phone = newPhone({ clock })
})

/** The app is closed; then the worker is woken by a message whose tap opens this path. */
async function pushed(path: string) {
  const { name } = phone.db
  const db = new SomaDb(name)
  const { transport } = network()
  const about = { db, clock, transport, isOffline: () => false }
  await pullScreen('http://soma.test/api', path, about)
  await phone.db.open()
}

/** Opens the app, which pulls what it shows, and closes it. */
async function openedBefore(person: Person) {
  await phone.start()
  await phone.session.login(person.email, person.password)
  await phone.settle()
}

test('S82: a message about a delivery brings its row, for a tap without a network too', async () => {
  const ama = await server().sender()
  const made = await server().delivery(ama)
  await openedBefore(ama)
  await server().drive(made, await server().driver(), 'Picked Up')
  network().passed.length = 0
  await pushed(`/delivery/${made.ID}`)
  expect(await deliveryRow(phone.db, made.ID)).toMatchObject({ view: { status: 'Picked Up' } })
  expect(network().passed.map(({ path }) => path)).toEqual([`/api/deliveries/${made.ID}`])
})

test('S82: a message about a new job brings the jobs', async () => {
  await openedBefore(await server().driver())
  const made = await server().delivery(await server().sender())
  await pushed('/drive')
  expect(await phone.db.deliveries.toArray()).toMatchObject([
    { ID: made.ID, openAt: made.createdAt },
  ])
})

test('S82: where nobody answers, the row stays as it was', async () => {
  const ama = await server().sender()
  const made = await server().delivery(ama)
  await openedBefore(ama)
  network().cut()
  await pushed(`/delivery/${made.ID}`)
  network().restore()
  expect(await deliveryRow(phone.db, made.ID)).toMatchObject({ view: { status: 'Pending' } })
})
