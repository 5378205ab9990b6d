import { beforeEach, describe, expect, test } from 'vitest'
import type { Status } from '#domain/deliveries/delivery.ts'
import type { User } from '#domain/users/user.ts'
import { saveDriverStatus } from '#store/deliveries/save/account-rows.ts'
import { announcements } from '#store/queries/announcements.ts'
import { hasNews } from '#store/queries/queries.ts'
import { deliveryOf, saveRows } from '../../helpers/device/context.ts'
import { createDevice, person, signIn } from '../../helpers/device/device.ts'

let device: ReturnType<typeof createDevice>
beforeEach(() => {
  device = createDevice()
})

const ama = { id: 'ama', name: 'Ama', phone: '0244000000' }
const kofi = { id: 'kofi', name: 'Kofi', phone: '0244000001' }
let version = 0

/** An answer of the server in which the delivery has this status. */
async function answer(account: string, status: Status, more: object = {}, id = 'd1') {
  version += 1
  const updatedAt = new Date(Date.UTC(2026, 10, 21) + version * 1_000).toISOString()
  const driver = status === 'Pending' ? undefined : kofi
  const delivery = deliveryOf(id, { sender: ama, driver, status, updatedAt, ...more } as never)
  await saveRows(device.db, account, [delivery])
}
const told = async () =>
  (await announcements(device.db)).deliveries.map(({ delivery, as }) => [as, delivery.status])
const loggedIn = (user: User) => signIn(device.db, user)
const asDriver = person('kofi', 'driver', { driverStatus: 'approved' })

describe('R100: what another party did is announced once', () => {
  test.each<Status>(['Accepted', 'Picked Up', 'Delivered', 'Approved', 'Cancelled'])(
    'to the sender: %s',
    async (status) => {
      await loggedIn(person('ama', 'sender'))
      await answer('ama', 'Pending')
      expect(await told()).toEqual([])
      await answer('ama', status)
      expect(await told()).toEqual([['sender', status]])
      expect(await hasNews(device.db)).toBe(true)
      await answer('ama', status)
      await device.commands.sawAnnouncements(['d1'])
      await answer('ama', status)
      expect(await told()).toEqual([])
      expect(await hasNews(device.db)).toBe(false)
    },
  )

  test('to a guest, also while somebody is logged in on their phone', async () => {
    await loggedIn(person('yaw', 'sender'))
    const guest = { isGuestDelivery: true, sender: undefined }
    await answer('guest', 'Pending', guest)
    await answer('guest', 'Accepted', guest)
    expect(await told()).toEqual([['sender', 'Accepted']])
    await device.commands.sawAnnouncements(['d1'])
    expect(await told()).toEqual([])
  })

  test('to the driver: approved and cancelled, and nothing that a driver does', async () => {
    await loggedIn(asDriver)
    await answer('kofi', 'Accepted')
    await answer('kofi', 'Picked Up')
    await answer('kofi', 'Delivered')
    expect(await told()).toEqual([])
    await answer('kofi', 'Approved')
    await answer('kofi', 'Accepted', {}, 'd2')
    await answer('kofi', 'Cancelled', {}, 'd2')
    expect(await told()).toEqual([
      ['driver', 'Approved'],
      ['driver', 'Cancelled'],
    ])
  })

  test('R101, R102, R104: to the sender, that the job was given back, each failed attempt, and the return', async () => {
    await loggedIn(person('ama', 'sender'))
    await answer('ama', 'Accepted')
    await answer('ama', 'Pending')
    expect(await told()).toEqual([['sender', 'Pending']])
    await answer('ama', 'Picked Up')
    const seen = () => device.commands.sawAnnouncements(['d1'])
    await seen()
    for (const more of [
      { attempts: 1 },
      { attempts: 2 },
      { attempts: 2, returning: { at: '2026-11-21T12:00:00.000Z', reason: 'absent' } },
    ]) {
      await answer('ama', 'Picked Up', more)
      expect(await told()).toEqual([['sender', 'Picked Up']])
      await seen()
      await answer('ama', 'Picked Up', { ...more, disputed: true })
      expect(await told()).toEqual([])
    }
  })

  test('R102, R104, R105: nothing of that to the driver who did it, nor the end that their own code brought', async () => {
    await loggedIn(asDriver)
    const returning = { at: '2026-11-21T12:00:00.000Z', reason: 'absent' }
    await answer('kofi', 'Picked Up')
    await answer('kofi', 'Picked Up', { attempts: 1 })
    await answer('kofi', 'Picked Up', { attempts: 1, returning })
    await device.commands.completeDelivery('d1', '12345')
    await answer('kofi', 'Cancelled', { outcome: 'returned', returning })
    expect(await told()).toEqual([])
    await answer('kofi', 'Picked Up', { returning }, 'd2')
    await answer('kofi', 'Cancelled', { outcome: 'returned', returning }, 'd2')
    expect(await told()).toEqual([['driver', 'Cancelled']])
  })

  test('of several changes the latest', async () => {
    await loggedIn(person('ama', 'sender'))
    await answer('ama', 'Pending')
    await answer('ama', 'Accepted')
    await answer('ama', 'Picked Up')
    expect(await told()).toEqual([['sender', 'Picked Up']])
  })

  test('not to whoever did it on this phone, nor for rows that come for the first time', async () => {
    await loggedIn(person('ama', 'sender'))
    await answer('ama', 'Delivered')
    expect(await told()).toEqual([])
    await device.commands.approveDelivery('d1')
    await answer('ama', 'Approved')
    expect(await told()).toEqual([])
  })

  test('not of jobs on offer, which belong to nobody here', async () => {
    await loggedIn(asDriver)
    await answer('kofi', 'Pending')
    await answer('kofi', 'Cancelled', { driver: undefined })
    expect(await told()).toEqual([])
  })
})

describe('R100: the decision on an application is announced once', () => {
  const status = (next: User['driverStatus']) =>
    device.db.transaction('rw', device.db.tables, async () =>
      saveDriverStatus(device.db, 'kofi', next ?? 'pending'),
    )
  const toldStatus = async () => (await announcements(device.db)).driverStatus

  test.each(['approved', 'rejected'] as const)('%s', async (decision) => {
    await loggedIn(person('kofi', 'driver', { driverStatus: 'pending' }))
    await status('pending')
    expect(await toldStatus()).toBeUndefined()
    await status(decision)
    await status(decision)
    expect(await toldStatus()).toBe(decision)
    expect(await hasNews(device.db)).toBe(true)
    await device.commands.sawAnnouncements([])
    await status(decision)
    expect(await toldStatus()).toBeUndefined()
  })

  test('one that was taken back before anybody saw it is not', async () => {
    await loggedIn(asDriver)
    await status('rejected')
    await status('approved')
    expect(await toldStatus()).toBeUndefined()
  })
})
