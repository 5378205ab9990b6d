import { beforeAll, describe, expect, test } from 'vitest'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { type Person, present } from '../../helpers/server/server.ts'
import { overBothAdapters } from '../both-adapters.ts'

const day = 24 * 60 * 60 * 1000

overBothAdapters((server) => {
  describe('cursors of lists', () => {
    let yaw: Person
    beforeAll(async () => {
      yaw = await server().driver()
    })

    type ListOp =
      | 'availableDeliveries'
      | 'driverDeliveries'
      | 'adminDeliveries'
      | 'senderDeliveries'
    async function list(op: ListOp, by: Person, query: Record<string, string> = {}) {
      const { value } = await server().ask(op, { token: by.token, query })
      const { deliveries, removed, cursor } = present(value)
      return { ids: deliveries.map(({ ID }) => ID), removed, cursor: present(cursor) }
    }

    async function jobOf(driver: Person, to: 'Accepted' | 'Picked Up' | 'Delivered') {
      const made = await server().delivery(await server().sender())
      await server().drive(made, driver, to)
      return made
    }

    const pickUp = (driver: Person, { ID: id }: Delivery) =>
      server().changeStatus(driver, id, 'Picked Up')

    test('R73: that are forged, of another reader, of another list or of an earlier form get the full list', async () => {
      const other = await server().driver()
      await server().delivery(await server().sender())
      const before = await server().delivery(await server().sender())
      const { cursor } = await list('availableDeliveries', yaw)
      const [inner = '', given, signature = ''] = cursor.split('.')
      const [epoch] = inner.split('-')
      const forged = [
        inner,
        `${epoch}-1`,
        `${epoch}-1.${given}.${signature}`,
        `${inner}.${(Date.now() + day).toString(36)}.${signature}`,
        `${inner}.${given}.${'0'.repeat(signature.length)}`,
        `${inner}.${given}`,
        `${cursor}.x`,
        `0123456789abcdef-1.${given}.${signature}`,
        'x',
        '',
        '..',
        (await list('availableDeliveries', other)).cursor,
        (await list('availableDeliveries', yaw, { pickupZone: 'Osu' })).cursor,
        (await list('driverDeliveries', yaw)).cursor,
        (await list('senderDeliveries', yaw)).cursor,
      ]
      for (const since of forged) {
        const answer = await list('availableDeliveries', yaw, { since })
        expect(answer.removed, since).toBeUndefined()
        expect(answer.ids, since).toContain(before.ID)
      }
      const delta = await list('availableDeliveries', yaw, { since: cursor })
      expect(delta).toMatchObject({ ids: [], removed: [] })
    })

    test('R73: name only available jobs that were Pending after the cursor', async () => {
      const carrier = await server().driver()
      const taken = await jobOf(carrier, 'Accepted')
      const { cursor } = await list('availableDeliveries', yaw)
      await pickUp(carrier, taken)
      expect(await list('availableDeliveries', yaw, { since: cursor })).toMatchObject({
        ids: [],
        removed: [],
      })
      const passing = await jobOf(await server().driver(), 'Accepted')
      const delta = await list('availableDeliveries', yaw, { since: cursor })
      expect(delta).toMatchObject({ ids: [], removed: [passing.ID] })
      const narrowed = await list('availableDeliveries', yaw, { status: 'Accepted' })
      expect(narrowed.ids).toEqual([])
    })

    test('R73: are accepted for seven days', async () => {
      const { cursor } = await list('driverDeliveries', yaw)
      server().clock.advance(7 * day - 60_000)
      const again = await list('driverDeliveries', yaw, { since: cursor })
      expect(again.removed).toEqual([])
      server().clock.advance(120_000)
      expect((await list('driverDeliveries', yaw, { since: cursor })).removed).toBeUndefined()
      expect((await list('driverDeliveries', yaw, { since: again.cursor })).removed).toEqual([])
    })
  })
})
