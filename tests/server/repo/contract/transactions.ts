import { v7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import type { ChangeEvent } from '#server/ports/change-events.ts'
import { hold } from '#server/rules/deliveries/ledger.ts'
import type { RepoFixture } from './repo-fixture.ts'

/** The contract of the `Repo` port about transactions. */
export function transactionContract({ repo, at, account, draft }: RepoFixture) {
  describe('a transaction', () => {
    test('that fails is rolled back', async () => {
      const [made, person] = [draft(), account()]
      await expect(
        repo.transaction(async ({ users, deliveries, ledger, zones, settings }) => {
          await users.add(person)
          await deliveries.add(made)
          await ledger.post(hold(made, v7()))
          await zones.add({ ID: v7(), Name: 'Undone' }, at())
          await settings.keep('undone', 'x')
          throw new Error('stop')
        }),
      ).rejects.toThrow('stop')
      await repo.read(async ({ users, deliveries, ledger, zones, settings }) => {
        expect(await users.get(person.ID)).toBeUndefined()
        expect(await deliveries.get(made.ID)).toBeUndefined()
        expect(await ledger.of(made.ID)).toEqual([])
        expect(await zones.has('Undone')).toBe(false)
        expect(await settings.get('undone')).toBeUndefined()
      })
    })

    test('publishes its events when it commits, and only then', async () => {
      const news = (id: string): ChangeEvent => ({ about: 'delivery', id, to: ['x'], admins: true })
      const heard: ChangeEvent[] = []
      const ids: (string | undefined)[] = []
      const ignore = () => undefined
      const stop = repo.listen((event) => heard.push(event), ignore)
      const stopAll = repo.listen(({ id }) => ids.push(id), ignore)
      await expect(
        repo.transaction(async (stores) => {
          await stores.publish(news('undone'))
          throw new Error('stop')
        }),
      ).rejects.toThrow('stop')
      await repo.transaction(async (stores) => {
        await stores.publish(news('done'))
        await stores.users.get(v7())
        expect(heard).toEqual([])
      })
      await expect.poll(() => heard).toEqual([news('done')])
      stop()
      await repo.transaction((stores) => stores.publish(news('unheard')))
      await expect.poll(() => ids).toContain('unheard')
      expect(heard).toHaveLength(1)
      stopAll()
    })
  })
}
