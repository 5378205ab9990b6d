import { beforeEach, describe, expect, test } from 'vitest'
import { routePrices, suggestions } from '#store/queries/suggestions.ts'
import { deliveryOf, saveRows } from '../../helpers/device/context.ts'
import { createDevice, person, signIn } from '../../helpers/device/device.ts'

let device: ReturnType<typeof createDevice>
beforeEach(async () => {
  device = createDevice()
  await signIn(device.db, person('ama', 'sender'))
})

const ama = { id: 'ama', name: 'Ama', phone: '0244000000' }
const merge = (rows: object[], account = 'ama') =>
  saveRows(
    device.db,
    account,
    rows.map((row, at) =>
      deliveryOf(`d${at}`, {
        sender: ama,
        createdAt: new Date(Date.UTC(2026, 10, 21) - at * 60_000).toISOString(),
        ...row,
      } as never),
    ),
  )

describe('what the request form offers to fill in', () => {
  test.each([0, 1, 60, 2_000])(
    'of %i deliveries at most four of each, the latest first',
    async (count) => {
      await merge(
        Array.from({ length: count }, (_, at) => ({
          dropoffZone: `Zone ${at % 9}`,
          recipientName: `Esi ${at % 7}`,
          recipientPhone: '0550000001',
        })),
      )
      const { routes, recipients } = await suggestions(device.db)
      const most = Math.min(4, count)
      expect(routes.map(({ to }) => to)).toEqual(
        Array.from({ length: most }, (_, at) => `Zone ${at}`),
      )
      expect(recipients).toHaveLength(most)
    },
  )

  test('S38: nothing of another account, and for a guest what they called themselves last', async () => {
    await merge([{ recipientName: 'Esi', recipientPhone: '0550000001' }])
    await signIn(device.db, person('kojo', 'sender'))
    expect(await suggestions(device.db)).toEqual({ routes: [], recipients: [], own: undefined })
    await device.db.sessions.clear()
    await device.db.guests.put({
      id: 'g',
      senderName: 'Yaw',
      senderPhone: '0244000009',
      createdAt: new Date().toISOString(),
    })
    expect((await suggestions(device.db)).own).toEqual({ name: 'Yaw', phone: '0244000009' })
  })
})

describe('the usual prices of a route', () => {
  const route = { from: 'Osu', to: 'Tema' }

  test('lowest, middle and highest, rounded to five, of both directions', async () => {
    await merge([
      { offer: 41 },
      { offer: 58, pickupZone: 'Tema', dropoffZone: 'Osu' },
      { offer: 79 },
      { offer: 500, dropoffZone: 'Madina' },
    ])
    expect(await routePrices(device.db, route)).toEqual([40, 60, 80])
  })

  test('none are made up, and equal ones are said once', async () => {
    expect(await routePrices(device.db, route)).toEqual([])
    expect(await routePrices(device.db, { from: '', to: 'Tema' })).toEqual([])
    await merge([{ offer: 1 }, { offer: 2 }])
    expect(await routePrices(device.db, route)).toEqual([5])
  })
})
