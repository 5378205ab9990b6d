import { beforeAll, describe, expect, test } from 'vitest'
import { type Person, present } from '../../../helpers/server/server.ts'
import { overPostgres } from '../../both-adapters.ts'

overPostgres((server) => {
  describe('a driver who is rejected', () => {
    let admin: Person
    beforeAll(async () => {
      admin = await server().admin()
    })

    const review = (driver: Person, status: 'approved' | 'rejected') =>
      server().ask('reviewDriver', { token: admin.token, id: driver.user.ID, body: { status } })
    const jobs = async (driver: Person, since?: string) => {
      const query = { include_completed: 'true', since }
      return present((await server().ask('driverDeliveries', { token: driver.token, query })).value)
    }
    async function jobAt(status: 'Accepted' | 'Picked Up' | 'Delivered') {
      const [sender, driver] = [await server().sender(), await server().driver()]
      const made = await server().delivery(sender, { recipientName: 'Esi Only Here' })
      await server().drive(made, driver, status)
      return { sender, driver, made }
    }
    const visibleFields = (person: Person, id: string) =>
      server().raw('GET', `/deliveries/${id}`, { token: person.token })

    test('R5: loses a job not yet picked up, which is Pending again', async () => {
      const { sender, driver, made } = await jobAt('Accepted')
      const { cursor } = await jobs(driver)
      await review(driver, 'rejected')
      expect((await visibleFields(driver, made.ID)).status).toBe(404)
      expect((await jobs(driver, cursor)).deliveries).toEqual([])
      const theirs = present(
        (await server().ask('getDelivery', { token: sender.token, id: made.ID })).value,
      )
      expect(theirs.delivery).toMatchObject({ status: 'Pending' })
      expect(theirs.delivery.driver).toBeUndefined()
      const another = await server().driver()
      await server().drive(made, another, 'Picked Up')
      expect(await server().repo.read(({ ledger }) => ledger.of(made.ID))).toHaveLength(1)
      await review(driver, 'approved')
      expect((await jobs(driver)).deliveries).toEqual([])
    })

    test('R73: gets the IDs of jobs that were removed from them while they stay approved', async () => {
      const { driver, made } = await jobAt('Accepted')
      const { cursor } = await jobs(driver)
      const { returnToPending } = await import('#domain/deliveries/transitions.ts')
      await server().repo.transaction(async ({ deliveries }) => {
        const before = present(await deliveries.lock(made.ID))
        await deliveries.save(before, returnToPending(before, { at: new Date().toISOString() }))
      })
      expect(await jobs(driver, cursor)).toMatchObject({ deliveries: [], removed: [made.ID] })
    })

    test('R73: gets the full list for every cursor from before a decision, so that their phone removes or adds the job', async () => {
      const { driver, made } = await jobAt('Picked Up')
      const { cursor: approved } = await jobs(driver)
      await review(driver, 'rejected')
      const without = await jobs(driver, approved)
      expect(without.deliveries).toEqual([])
      expect(without.removed).toBeUndefined()
      await review(driver, 'approved')
      const again = await jobs(driver, without.cursor)
      expect(again.deliveries).toMatchObject([{ ID: made.ID }])
      expect(again.removed).toBeUndefined()
    })

    test('R5: can do nothing with a job they have picked up, and a dispute is opened', async () => {
      const { driver, made } = await jobAt('Picked Up')
      await review(driver, 'rejected')
      expect((await visibleFields(driver, made.ID)).status).toBe(404)
      expect((await jobs(driver)).deliveries).toEqual([])
      const complete = await server().raw('POST', `/driver/deliveries/${made.ID}/complete`, {
        token: driver.token,
        body: { code: made.deliveryCode },
      })
      expect([complete.status, (await complete.json()).reason]).toEqual([
        403,
        'driver-not-approved',
      ])
      const disputes = present((await server().ask('adminDisputes', { token: admin.token })).value)
      expect(disputes.disputes.filter(({ DeliveryID }) => DeliveryID === made.ID)).toHaveLength(1)
      await review(driver, 'approved')
      expect((await jobs(driver)).deliveries).toMatchObject([{ ID: made.ID, status: 'Picked Up' }])
      const code = present(made.deliveryCode)
      await server().ask('completeDelivery', { token: driver.token, id: made.ID, body: { code } })
    })

    test('R5: sees no names and no phone numbers of finished jobs but their own', async () => {
      const { sender, driver, made } = await jobAt('Delivered')
      await review(driver, 'rejected')
      const text = await (await visibleFields(driver, made.ID)).text()
      expect(text).toContain('Delivered')
      for (const secret of ['Esi Only Here', made.recipientPhone, sender.phone, sender.email])
        expect(text).not.toContain(secret)
      const listed = JSON.stringify(await jobs(driver))
      expect(listed).not.toContain(sender.phone)
    })
  })
})
