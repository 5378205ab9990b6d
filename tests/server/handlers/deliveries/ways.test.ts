import { expect, test } from 'vitest'
import { defaultPlaces } from '#domain/zones/default-places.ts'
import { routesOnWay, shownDetour } from '#domain/zones/on-the-way.ts'
import { distancesOf } from '#domain/zones/roads.ts'
import { present } from '../../../helpers/server/server.ts'
import { overIndexedDb } from '../../both-adapters.ts'

const commute = { from: 'Adenta', to: 'Accra Central' }
const places = defaultPlaces()
const onWay = routesOnWay(distancesOf(places), places, commute)

overIndexedDb((server) => {
  const offer = async (pickupZone: string, dropoffZone: string) =>
    (await server().guestDelivery({ pickupZone, dropoffZone })).delivery.ID
  const list = async (token: string, query: Record<string, string>) =>
    present((await server().ask('availableDeliveries', { token, query })).value)

  test('R164: a driver gets the jobs on their way with their detours, smallest first, in pages and by what changed', async () => {
    const yaw = await server().driver()
    const made = [
      await offer('Madina', 'Osu'),
      await offer('Adenta', 'Accra Central'),
      await offer('Tema', 'Accra Central'),
      await offer('Accra Central', 'Adenta'),
      await offer('Legon Campus', 'Circle'),
    ]
    const all = await list(yaw.token, commute)
    const own = all.deliveries.filter(({ ID }) => made.includes(ID))
    expect(own.map(({ ID }) => ID).sort()).toEqual([made[0], made[1], made[4]].sort())
    const detours = all.deliveries.map(({ detourKm }) => detourKm)
    expect(detours).toEqual(detours.toSorted((a = 0, b = 0) => a - b))
    for (const { pickupZone, dropoffZone, detourKm } of all.deliveries) {
      const route = onWay.find((each) => each.pickup === pickupZone && each.dropoff === dropoffZone)
      expect(detourKm).toBe(shownDetour(route?.km ?? Number.NaN))
    }
    const first = await list(yaw.token, { ...commute, limit: '2' })
    const rest = await list(yaw.token, { ...commute, after: present(first.next) })
    const ids = [...first.deliveries, ...rest.deliveries].map(({ ID }) => ID)
    expect(ids).toEqual(all.deliveries.map(({ ID }) => ID))

    const direct = await list(yaw.token, { ...commute, detour: '0' })
    expect(new Set(direct.deliveries.map(({ detourKm }) => detourKm))).toEqual(new Set([0]))

    const later = [await offer('Madina', 'Circle'), await offer('Tema', 'Adenta')]
    const id = present(made[0])
    await server().ask('acceptDelivery', { token: yaw.token, id })
    const delta = await list(yaw.token, { ...commute, since: present(all.cursor) })
    expect(delta.deliveries.map(({ ID }) => ID)).toEqual([later[0]])
    expect(delta.deliveries[0]).toHaveProperty('detourKm')
    expect(delta.removed).toEqual([id])
    const other = await list(yaw.token, { ...commute, detour: '1', since: present(all.cursor) })
    expect(other.removed).toBeUndefined()
  })

  test.each<[Record<string, string>, string, RegExp]>([
    [{ from: 'Osu' }, 'invalid', /select both your current and destination zones/],
    [{ to: 'Osu' }, 'invalid', /select both your current and destination zones/],
    [{ from: 'Osu', to: '' }, 'invalid', /select both your current and destination zones/],
    [{ from: 'Osu', to: 'Osu' }, 'same-zones', /Current and destination zones cannot be the same/],
    [{ from: 'Osu', to: 'Nowhere' }, 'unknown-zone', /not on the list/],
    [{ ...commute, detour: '-1' }, 'invalid', /0 to 10/],
    [{ ...commute, detour: '10.1' }, 'invalid', /0 to 10/],
    [{ ...commute, detour: 'far' }, 'invalid', /0 to 10/],
  ])('R164: %j is 400 %s', async (query, reason, words) => {
    const { token } = await server().driver()
    const path = `/driver/available-deliveries?${new URLSearchParams(query)}`
    const answer = await server().raw('GET', path, { token })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toEqual({ error: expect.stringMatching(words), reason })
  })

  test.each(['Osu', 'Osu|', 'Osu|Tema|11', 'Osu|Tema|1|2'])(
    'R95: an event stream of the way %s is 400',
    async (way) => {
      const { token } = await server().driver()
      const answer = await server().raw('GET', `/events?${new URLSearchParams({ way })}`, { token })
      expect(answer.status).toBe(400)
    },
  )
})
