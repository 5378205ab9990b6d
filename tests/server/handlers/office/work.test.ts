import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import type { Work } from '#contract/responses.ts'
import { isLate } from '#domain/office/work-kinds.ts'
import { present } from '../../../helpers/server/server.ts'
import { overBothAdapters } from '../../both-adapters.ts'

const minute = 60_000

overBothAdapters((server) => {
  const now = () => new Date(server().clock.now()).toISOString()
  /** The clock goes on. */
  const near = (time: string) =>
    expect.toSatisfy(
      (at: string) => Math.abs(Date.parse(at) - Date.parse(time)) < minute,
      `about ${time}`,
    )
  async function work(): Promise<Record<string, Omit<Work, 'kind'>>> {
    const { token } = await server().admin()
    const { stats } = present((await server().ask('adminStats', { token })).value)
    return Object.fromEntries(present(stats.work).map(({ kind, ...rest }) => [kind, rest]))
  }
  const late = (found: Record<string, Omit<Work, 'kind'>>) =>
    Object.entries(found)
      .filter(([kind, { oldest }]) => isLate(kind, present(oldest[0]).since, server().clock.now()))
      .map(([kind]) => kind)

  test('R187: what waits is counted by kind, the oldest first, with since when it waits', async () => {
    expect(await work()).toEqual({})
    const [ama, esi, yaw, kofi] = [
      await server().sender(),
      await server().sender(),
      await server().driver(),
      await server().driver(),
    ]
    const waiting: string[] = []
    const createdAt = now()
    for (let n = 0; n < 6; n++) {
      waiting.push((await server().guestDelivery({ itemDescription: `Box ${n}` })).delivery.ID)
      server().clock.advance(1_000)
    }
    const job = await server().delivery(ama, { itemDescription: 'A harp' })
    await server().drive(job, yaw, 'Accepted')
    const jobSince = now()
    const returned = await server().delivery(esi, { itemDescription: 'A lute' })
    await server().drive(returned, kofi, 'Picked Up')
    const dispute = await server().report(ama, job.ID, 'Nobody came')
    const applicant = await server().signUp('driver', { name: 'Efua Applicant' })
    const appliedAt = now()
    const failed = { id: v7(), kind: 'payout', deliveryId: job.ID, driverId: yaw.user.ID } as const
    const before = await work()
    expect(Object.keys(before).sort()).toEqual(['applications', 'disputes'])
    expect(before.applications).toEqual({
      count: 1,
      oldest: [{ ID: applicant.user.ID, name: 'Efua Applicant', since: near(appliedAt) }],
    })
    expect(before.disputes).toMatchObject({ oldest: [{ ID: dispute.ID, name: 'Nobody came' }] })
    expect(late(before)).toEqual([])

    server().clock.advance(31 * minute)
    const unaccepted = (await work()).offers
    expect(unaccepted?.count).toBe(6)
    expect(unaccepted?.oldest.map(({ ID }) => ID)).toEqual(waiting.slice(0, 5))
    expect(unaccepted?.oldest[0]).toMatchObject({ name: 'Box 0', since: near(createdAt) })

    await server().bringBack(returned.ID, kofi)
    await server().repo.transaction(async ({ payments, users }) => {
      const rest = { pesewas: 100, status: 'failed', tries: 1, createdAt: now() } as const
      await payments.add({ ...failed, ...rest, updatedAt: now() })
      const licence = (days: number) => ({
        number: 'L1',
        expires: new Date(server().clock.now() + days * 24 * 60 * minute)
          .toISOString()
          .slice(0, 10),
      })
      await users.change(yaw.user.ID, { licence: licence(29) })
      await users.change(kofi.user.ID, { licence: licence(32) })
    })
    expect((await work()).jobs).toBeUndefined()
    server().clock.advance(3 * 60 * minute)
    const after = await work()
    expect(after.jobs).toEqual({
      count: 1,
      oldest: [{ ID: job.ID, name: 'A harp', since: near(jobSince) }],
    })
    expect(after.returns?.oldest.map(({ ID }) => ID)).toEqual([returned.ID])
    expect(after.payments?.oldest).toMatchObject([{ ID: failed.id, name: yaw.user.name }])
    expect(after.licences?.oldest.map(({ ID }) => ID)).toEqual([yaw.user.ID])
    expect(late(after).sort()).toEqual(['jobs', 'offers', 'payments'])
    server().clock.advance(48 * 60 * minute)
    expect(late(await work()).sort()).toEqual(
      Object.keys(after)
        .sort()
        .filter((kind) => kind !== 'licences'),
    )
  })

  test('R232: a request that is not paid is no Pending one in the lists and figures, and has its own list', async () => {
    const { token } = await server().admin()
    const list = async (status?: string) =>
      present((await server().ask('adminDeliveries', { token, query: { status } })).value)
    const pending = async () =>
      present((await server().ask('adminStats', { token })).value).stats.pendingDeliveries
    const { delivery } = await server().guestDelivery({ itemDescription: 'A viola' })
    server().clock.advance(31 * minute)
    const [before, figure] = [await list(), await pending()]
    const pay = (status: string) =>
      server().repo.transaction(async ({ deliveries }) => {
        const stored = present(await deliveries.lock(delivery.ID))
        await deliveries.save(stored, { ...stored, payment: { status } })
      })
    const paid = present(before.counts?.Pending)
    const isIn = ({ deliveries }: { deliveries: { ID: string }[] }) =>
      deliveries.some(({ ID }) => ID === delivery.ID)
    for (const status of ['waiting', 'failed']) {
      await pay(status)
      const [all, waiting, unpaid] = [await list(), await list('Pending'), await list('Unpaid')]
      expect([isIn(all), isIn(waiting), isIn(unpaid)]).toEqual([true, false, true])
      expect([all.total, waiting.total, unpaid.total]).toEqual([before.total, paid - 1, 1])
      expect(all).toMatchObject({ unpaidRequests: 1 })
      expect(all.counts?.Pending ?? 0).toBe(paid - 1)
      expect(await pending()).toBe(figure - 1)
      expect((await work()).offers?.oldest.some(({ ID }) => ID === delivery.ID) ?? false).toBe(
        false,
      )
    }
    await pay('held')
    expect([isIn(await list('Pending')), isIn(await list('Unpaid'))]).toEqual([true, false])
    expect(await list()).not.toHaveProperty('unpaidRequests')
  })
})
