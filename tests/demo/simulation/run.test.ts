import { afterEach, describe, expect, test, vi } from 'vitest'
import { personas } from '#demo/simulation/personas.ts'
import { startSimulation } from '#demo/simulation/run.ts'
import { toPesewas } from '#domain/money.ts'
import { present } from '../../helpers/server/server.ts'
import {
  closeAll,
  closeLater,
  expectBalancedLedger,
  oneLock,
  openTestCity,
} from './city-fixture.ts'
import { imageHost, repos } from './fixture.ts'
import { personaIds, timeOfTheCity } from './hour.ts'

const [second, minute] = [1_000, 60_000]

afterEach(closeAll)

const request = {
  itemDescription: 'Keys',
  pickupZone: 'Osu',
  dropoffZone: 'Tema',
  offer: 30,
  recipientName: 'Kofi',
  recipientPhone: '0240001111',
  itemPhoto: `${imageHost}/api/images/keys.jpg`,
}

timeOfTheCity(present(repos[0]), 20)

describe('The city of the demo', () => {
  test('repeats the same minutes for the same seed', async () => {
    const history = async () => {
      const { simulate, deliveries } = await openTestCity()
      await simulate(90 * second)
      return (await deliveries()).map(({ ID: _, deliveryCode: __, ...rest }) => rest)
    }
    expect(await history()).toEqual(await history())
  })

  test('sends a driver to a sender who waits, and leaves the approval to the sender', async () => {
    const { ask, simulate, logIn, delivery, repo, logged } = await openTestCity()
    const token = await logIn('sender')
    const { value } = await ask('createDelivery', { token, body: request })
    const { ID: id } = present(value).delivery
    await simulate(39 * second, { visitorWaits: () => true })
    expect((await delivery(id)).status).toBe('Pending')
    await simulate(27 * second, { visitorWaits: () => true })
    expect((await delivery(id)).status).toBe('Accepted')
    await simulate(3 * minute)
    const delivered = await delivery(id)
    expect(delivered.status).toBe('Delivered')
    expect(personaIds).not.toContain(delivered.driver?.id)
    await simulate(5 * minute)
    expect((await delivery(id)).status).toBe('Delivered')
    await ask('changeStatus', { token, id, body: { status: 'Approved' } })
    await expectBalancedLedger(repo, [await delivery(id)])
    expect(logged).toEqual([])
  })

  test('sends a driver to a guest who waits', async () => {
    const { ask, simulate, delivery } = await openTestCity()
    const guest = { senderName: personas.guest.name, senderPhone: personas.guest.phone }
    const { value } = await ask('createGuestDelivery', { body: { ...request, ...guest } })
    const { delivery: made, guestToken: token } = present(value)
    await simulate(6 * minute, { visitorWaits: () => true })
    expect((await delivery(made.ID)).status).toBe('Delivered')
    const body = { status: 'Approved', guestPhone: guest.senderPhone }
    await ask('changeGuestStatus', { token, id: made.ID, body })
  })

  test('does not accept a visitor’s request while the visitor does not wait', async () => {
    const { ask, simulate, logIn, delivery } = await openTestCity()
    const { value } = await ask('createDelivery', { token: await logIn('sender'), body: request })
    await simulate(5 * minute)
    expect(await delivery(present(value).delivery.ID)).toMatchObject({ status: 'Pending' })
  })

  test('approves a job that a visitor has delivered, and pays for it', async () => {
    const { ask, simulate, logIn, delivery, repo } = await openTestCity()
    const token = await logIn('driver')
    const { value } = await ask('availableDeliveries', { token })
    const { ID: id } = present(present(value).deliveries[0])
    await ask('acceptDelivery', { token, id })
    await simulate(5 * minute)
    // No resident picks up the visitor's job.
    expect((await delivery(id)).status).toBe('Accepted')
    await ask('changeStatus', { token, id, body: { status: 'Picked Up' } })
    const { deliveryCode: code } = await delivery(id)
    await ask('completeDelivery', { token, id, body: { code } })
    const account = `driver:${personas.driver.id}`
    const earned = () => repo.read(({ ledger }) => ledger.balance(account))
    const before = await earned()
    await simulate(50 * second)
    const { status, offer } = await delivery(id)
    expect(status).toBe('Approved')
    expect(await earned()).toBe(before + toPesewas(offer))
  })

  test('an applicant whom the visitor approved accepts jobs', async () => {
    const { ask, simulate, logIn, repo, deliveries } = await openTestCity()
    const token = await logIn('admin')
    const { value } = await ask('adminDrivers', { token, query: { status: 'pending' } })
    const applicants = present(value).drivers.filter(({ ID }) => ID !== personas.pending.id)
    for (const { ID: id } of applicants)
      await ask('reviewDriver', { token, id, body: { status: 'approved' } })
    const drives = async () => {
      const drove = new Set((await deliveries()).map(({ driver }) => driver?.id))
      return applicants.some(({ ID }) => drove.has(ID))
    }
    for (let past = 0; past < 60 && !(await drives()); past += 5) await simulate(5 * minute)
    expect(await drives()).toBe(true)
    const waiting = await repo.read(({ users }) => users.get(personas.pending.id))
    expect(waiting?.driverStatus).toBe('pending')
  })

  test('runs in one visible tab at a time; another takes over when that one is hidden', async () => {
    const { ports } = await openTestCity()
    const locks = oneLock()
    const acting: string[] = []
    const open = (name: string) => {
      const page = Object.assign(new EventTarget(), { hidden: false })
      const stop = startSimulation({
        ports,
        locks,
        page,
        visitorWaits: () => false,
        pause: (_, signal) => {
          acting.push(name)
          return new Promise((go) => signal.addEventListener('abort', () => go()))
        },
      })
      closeLater(stop)
      return {
        stop,
        setHidden(hidden: boolean) {
          page.hidden = hidden
          page.dispatchEvent(new Event('visibilitychange'))
        },
      }
    }
    const [first, second] = [open('first'), open('second')]
    await vi.waitFor(() => expect(acting).toEqual(['first']))
    first.setHidden(true)
    await vi.waitFor(() => expect(acting).toEqual(['first', 'second']))
    first.setHidden(false)
    second.setHidden(true)
    await vi.waitFor(() => expect(acting).toEqual(['first', 'second', 'first']))
    await first.stop()
    second.setHidden(false)
    await vi.waitFor(() => expect(acting).toEqual(['first', 'second', 'first', 'second']))
    second.setHidden(true)
    await new Promise((later) => setTimeout(later, 50))
    expect(acting).toHaveLength(4)
  })

  test('stops at once in the middle of a pause', async () => {
    const { ports } = await openTestCity()
    // The pauses of the longest 25 seconds would outlast the test.
    await startSimulation({ ports, visitorWaits: () => true, random: () => 1 })()
  })
})
