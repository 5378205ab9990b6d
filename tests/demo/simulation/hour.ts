import { expect, test } from 'vitest'
import { mostPending } from '#demo/simulation/actions.ts'
import { personas } from '#demo/simulation/personas.ts'
import { type Delivery, Status } from '#domain/deliveries/delivery.ts'
import { expectBalancedLedger, openTestCity } from './city-fixture.ts'
import type { repos } from './fixture.ts'

const minute = 60_000
export const personaIds = Object.values(personas).flatMap((each) => ('id' in each ? each.id : []))
const isOfPersona = ({ sender, driver }: Delivery) =>
  personaIds.some((id) => id === sender?.id || id === driver?.id)

/** So many minutes of the city, stored in this kind of database. */
export function timeOfTheCity(repoOpener: (typeof repos)[number], minutes: number) {
  test(`${minutes} minutes of the city, stored in ${repoOpener[0]}, takes every step of R23, keeps the ledger balanced (R40, R41) and stays within its limit`, async () => {
    const { simulate, deliveries, repo, logged, texts } = await openTestCity(repoOpener)
    const before = await deliveries()
    const stats = () => repo.read((stores) => stores.stats())
    const personaAccounts = () =>
      repo.read(({ users }) => Promise.all(personaIds.map((id) => users.get(id))))
    const [was, accounts] = [await stats(), await personaAccounts()]
    await simulate(minutes * minute)
    const after = await deliveries()
    const now = await stats()

    const changed = after.filter(
      (each) => !before.some(({ ID, status }) => ID === each.ID && status === each.status),
    )
    const statuses = new Set(changed.map(({ status }) => status))
    for (const status of Status.options.filter((each) => each !== 'Cancelled'))
      expect(statuses).toContain(status)
    expect(after.length - before.length).toBeGreaterThan(minutes / 3)
    expect(now.totalRevenue).toBeGreaterThan(was.totalRevenue + minutes * 8)
    for (const { history = [] } of changed) {
      const steps = history.map(({ status }) => status).filter((each) => each !== 'Cancelled')
      expect(steps).toEqual(Status.options.slice(0, steps.length))
    }
    await expectBalancedLedger(repo, changed)

    expect(now.pendingDeliveries).toBeLessThanOrEqual(mostPending)
    expect(now.pendingDeliveries).toBeGreaterThanOrEqual(8)
    expect(logged).toEqual([])
    // The visitor gets no text of a resident, and no persona acts.
    expect(texts).toEqual([])
    expect(changed.filter(isOfPersona)).toEqual([])
    expect(await personaAccounts()).toEqual(accounts)
  })
}
