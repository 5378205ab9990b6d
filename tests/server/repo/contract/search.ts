import { v7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { referenceOf } from '#domain/deliveries/reference.ts'
import { contactOf } from '#domain/users/user.ts'
import type { Page } from '#server/ports/stores/paging.ts'
import type { RepoFixture } from './repo-fixture.ts'

const name = 'Ɔkɔmfo Kofi Ŋmɛ'
const typed = ['okomfo', 'OKOMFO KOFI NME', 'Ɔkɔmfo', 'Ɔ\u0301kɔmfo', 'Ókomfo', 'mfo kofi ŋ', 'ɔ']

/** The contract of the `Repo` port about how a search compares texts. */
export function searchContract({ repo, at, user, add, save }: RepoFixture) {
  describe('R74: a search finds names however they are typed', () => {
    const finds = async (list: (page: Page) => Promise<string[]>, wanted: string[]) => {
      for (const search of typed)
        expect(await list({ limit: 10, search }), search).toEqual(wanted.toReversed())
      expect(await list({ limit: 10, search: 'okomfi' })).toEqual([])
    }
    // The same name in both Unicode forms.
    const names = [`${name} Tetté`.normalize('NFC'), `${name} Tetté`.normalize('NFD')]

    test('people and drivers', async () => {
      const ids: string[] = []
      for (const each of names) {
        const { ID: userId } = await user({ name: each, role: 'driver', driverStatus: 'pending' })
        const papers = { idType: 'passport', idNumber: 'AB1', idPhoto: 'x' } as const
        await repo.transaction(({ applications }) =>
          applications.add({ userId, ...papers, createdAt: at() }),
        )
        ids.push(userId)
      }
      const idsOf = ({ rows }: { rows: { ID: string }[] }) => rows.map(({ ID }) => ID)
      await finds((page) => repo.read(async ({ users }) => idsOf(await users.list(page))), ids)
      const listed = (page: Page) =>
        repo.read(async ({ applications }) => idsOf(await applications.list(page)))
      await finds(listed, ids)
      expect(await listed({ limit: 10, search: 'tette' })).toEqual(ids.toReversed())
    })

    test('deliveries by their texts and by the driver', async () => {
      const driven = await add()
      await save({
        ...driven,
        status: 'Accepted',
        driver: contactOf(await user({ name, role: 'driver' })),
      })
      const ids = [driven.ID]
      for (const senderName of names) ids.push((await add({ senderName })).ID)
      const everyone = { of: 'everyone' } as const
      await finds(
        (page) =>
          repo.read(async ({ deliveries }) =>
            (await deliveries.list(everyone, page)).rows.map(({ ID }) => ID),
          ),
        ids,
      )
      const { counts } = await repo.read(({ deliveries }) =>
        deliveries.listCounted(everyone, { limit: 1, search: 'okomfo' }),
      )
      expect(counts).toEqual({ Pending: 2, Accepted: 1 })
    })

    test('reports and the audit log', async () => {
      const { ID: DeliveryID } = await add()
      const ids: string[] = []
      await repo.transaction(async ({ disputes, audit }) => {
        for (const each of names) {
          const ID = v7()
          const about = { DeliveryID, type: 'sender_issue', priority: 'medium' } as const
          await disputes.add({ ID, ...about, issue: each, CreatedAt: at() })
          const entry = { ID, At: at(), Actor: 'a', Action: 'addZone', Address: '' }
          await audit.add({ ...entry, Subject: each })
          ids.push(ID)
        }
      })
      const idsOf = ({ rows }: { rows: { ID: string }[] }) => rows.map(({ ID }) => ID)
      await finds(
        (page) => repo.read(async ({ disputes }) => idsOf(await disputes.list(page))),
        ids,
      )
      await finds((page) => repo.read(async ({ audit }) => idsOf(await audit.list(page))), ids)
    })

    test('R189: the audit log is searched by the words of its screen and by references', async () => {
      const [approved, about] = [v7(), v7()]
      const entry = { At: at(), Actor: 'a', Address: '' }
      await repo.transaction(async ({ audit }) => {
        await audit.add({ ...entry, ID: approved, Action: 'reviewDriver approved', Subject: 'yaw' })
        await audit.add({ ...entry, ID: about, Action: 'settlePayout', Subject: `${about}: paid` })
        await audit.add({ ...entry, ID: v7(), Action: 'settlePayout', Subject: `${v7()}: paid` })
      })
      const found = (search: string) =>
        repo.read(async ({ audit }) =>
          (await audit.list({ limit: 10, search })).rows.map(({ ID }) => ID),
        )
      expect(await found('approved a DRIVER')).toEqual([approved])
      expect(await found(referenceOf(about).toLowerCase())).toEqual([about])
    })
  })
}
