import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { contactOf, type User } from '#domain/users/user.ts'
import type { StoredPhoto } from '#server/ports/stores/photo-store.ts'
import { present } from '../../../helpers/present.ts'
import type { RepoFixture } from './repo-fixture.ts'

const time = (day: number) => new Date(Date.UTC(2026, 0, day)).toISOString()
let made = 0
const newName = () => `${String(++made).padStart(64, '0')}.jpg`
const urlOf = (name: string) => `http://x/api/images/${name}`

/** The contract of the `Repo` port about photos. */
export function photoContract({ repo, user, add: delivery }: RepoFixture) {
  const photo = (over: Partial<StoredPhoto> = {}): StoredPhoto => ({
    name: newName(),
    isPrivate: false,
    isUsed: false,
    bytes: 1_000,
    uploader: 'somebody',
    at: time(1),
    ...over,
  })
  const add = (row: StoredPhoto) => repo.transaction(({ photos }) => photos.add(row))
  const get = (photoName: string) => repo.read(({ photos }) => photos.get(photoName))

  async function driver(idPhoto: string): Promise<User> {
    const person = await user({ role: 'driver', driverStatus: 'pending' })
    const application = { idType: 'passport' as const, idNumber: 'AB123456', idPhoto }
    await repo.transaction(({ applications }) =>
      applications.add({ ...application, userId: person.ID, createdAt: time(1) }),
    )
    return person
  }

  test('are stored and found by name', async () => {
    const [one, other] = [photo(), photo({ isPrivate: true })]
    expect([await add(one), await add(other)]).toEqual([true, true])
    expect(await get(one.name)).toEqual(one)
    expect(await repo.transaction(({ photos }) => photos.lock(other.name))).toEqual(other)
    const found = await repo.read(({ photos }) => photos.getMany([one.name, 'none', other.name]))
    expect(found.map((row) => row.name).sort()).toEqual([one.name, other.name].sort())
    expect(await repo.read(({ photos }) => photos.getMany([]))).toEqual([])
    await repo.transaction(({ photos }) => photos.remove(one.name))
    expect(await get(one.name)).toBeUndefined()
  })

  test('get a new age when they are uploaded again, unless something uses them', async () => {
    const row = photo()
    await add(row)
    expect(await add({ ...row, at: time(5), uploader: 'other' })).toBe(true)
    expect(await get(row.name)).toMatchObject({ at: time(5), uploader: 'other' })
    await repo.transaction(({ photos }) => photos.use(row.name))
    expect(await add({ ...row, at: time(9) })).toBe(true)
    expect(await get(row.name)).toMatchObject({ at: time(5), isUsed: true })
  })

  test('R55: that became private stay private, whoever uploads the same bytes', async () => {
    const row = photo()
    await add(row)
    await repo.transaction(({ photos }) => photos.makePrivate(row.name, time(2)))
    expect(await add({ ...row, at: time(3) })).toBe(false)
    expect(await get(row.name)).toEqual({ ...row, isPrivate: true, isUsed: true })
    const unknown = newName()
    await repo.transaction(({ photos }) => photos.makePrivate(unknown, time(2)))
    expect(await get(unknown)).toMatchObject({ isPrivate: true, isUsed: true, at: time(2) })
  })

  test('are counted by uploader', async () => {
    const uploader = v7()
    const stored = (since: string) => repo.read(({ photos }) => photos.storedBy(uploader, since))
    expect(await stored(time(1))).toEqual({ bytes: 0, first: undefined })
    await add(photo({ uploader, at: time(1), bytes: 1 }))
    await add(photo({ uploader, at: time(3), bytes: 20 }))
    await add(photo({ uploader, at: time(4), bytes: 300 }))
    expect(await stored(time(2))).toEqual({ bytes: 320, first: time(3) })
  })

  const claimUnused = (before: string, at: string, limit = 1_000) =>
    repo.transaction(({ photos }) => photos.claimUnused(before, at, limit))

  test('R66: are claimed when nothing uses them and they are old, by one caller until the claim is old', async () => {
    const old = photo({ at: time(2) })
    const used = photo({ at: time(2) })
    const young = photo({ at: time(8) })
    for (const row of [old, used, young]) await add(row)
    await repo.transaction(({ photos }) => photos.use(used.name))
    const both = await Promise.all([claimUnused(time(7), time(9)), claimUnused(time(7), time(9))])
    expect(both.flat().filter((name) => name === old.name)).toEqual([old.name])
    expect(both.flat()).not.toContain(used.name)
    expect(both.flat()).not.toContain(young.name)
    expect([await get(used.name), await get(young.name)]).toEqual([
      { ...used, isUsed: true },
      young,
    ])
    // Whoever uploads the same bytes meanwhile gets another name, and does not end the claim.
    expect(await add({ ...old, at: time(20) })).toBe(false)
    expect(await get(old.name)).toMatchObject({ isPrivate: true, at: time(9) })
    expect(await claimUnused(time(9), time(12))).not.toContain(old.name)
    expect(await claimUnused(time(10), time(12))).toContain(old.name)
  })

  test('are claimed a few at a time', async () => {
    const rows = [1, 2, 3].map(() => photo({ at: '2025-01-01T00:00:00.000Z' }))
    for (const row of rows) await add(row)
    const [before, at] = ['2025-01-02T00:00:00.000Z', time(1)]
    const [first, second] = [await claimUnused(before, at, 2), await claimUnused(before, at, 2)]
    expect([first.length, second.length]).toEqual([2, 1])
    expect([...first, ...second].sort()).toEqual(rows.map(({ name }) => name).sort())
  })

  test('without a row are claimed by one caller', async () => {
    const row = photo()
    const claim = () => repo.transaction(({ photos }) => photos.claim(row.name, time(5)))
    expect((await Promise.all([claim(), claim(), claim()])).filter(Boolean)).toEqual([true])
    expect(await add(row)).toBe(false)
    await repo.transaction(({ photos }) => photos.remove(row.name))
    expect(await add(row)).toBe(true)
    expect(await claim()).toBe(false)
    expect(await get(row.name)).toEqual(row)
  })

  test('of applications are listed as public until they are private, and as shared with a delivery', async () => {
    const [alone, item, proof, hidden] = [newName(), newName(), newName(), newName()]
    const people = []
    for (const each of [alone, item, proof, hidden]) people.push(await driver(urlOf(each)))
    await delivery({ itemPhoto: urlOf(item) })
    await delivery({ itemPhoto: 'http://x/other.jpg', proofOfDelivery: urlOf(proof) })
    await repo.transaction(({ photos }) => photos.makePrivate(hidden, time(1)))
    const found = await repo.read(({ applications }) => applications.withPublicPhoto())
    const of = (user: User) => found.find(({ userId }) => userId === user.ID)?.isShared
    expect(people.map(of)).toEqual([false, true, true, undefined])

    const [first] = people
    const owners = () => repo.read(({ applications }) => applications.ownersOfPhoto(alone))
    expect(await owners()).toEqual([first?.ID])
    await repo.transaction(({ applications }) =>
      applications.changePhoto(present(first).ID, urlOf(hidden)),
    )
    expect(await owners()).toEqual([])
  })

  test('R55: of applications are deleted some time after the decision, unless a dispute is open', async () => {
    const names = [newName(), newName(), newName(), newName(), newName()]
    const [pending, old, young, disputed, sharing] = names.map(urlOf)
    const people = []
    for (const each of [pending, old, young, disputed, sharing])
      people.push(await driver(each ?? ''))
    const [, ofOld, ofYoung, ofDisputed, ofSharing] = people.map(present)
    const twin = await driver(sharing ?? '')
    const decide = (user: User | undefined, day: number) =>
      repo.transaction(({ applications }) =>
        applications.change(present(user).ID, 'rejected', time(day)),
      )
    for (const user of [ofOld, ofDisputed, ofSharing]) await decide(user, 2)
    await decide(ofYoung, 20)
    const carried = await delivery({ status: 'Approved', driver: contactOf(present(ofDisputed)) })
    const dispute = { ID: v7(), DeliveryID: carried.ID, type: 'sender_issue' as const }
    await repo.transaction(({ disputes }) =>
      disputes.add({ ...dispute, issue: 'Broken', priority: 'medium', CreatedAt: time(3) }),
    )
    const drop = () => repo.transaction(({ applications }) => applications.dropPhotos(time(10)))
    const photoOf = async (user: User | undefined) =>
      (await repo.read(({ applications }) => applications.get(present(user).ID)))?.IDPhoto

    expect(await drop()).toEqual([old])
    const left = await Promise.all([...people, twin].map(photoOf))
    expect(left).toEqual([pending, undefined, young, disputed, undefined, sharing])
    const byId = { resolution: 'Done', at: time(4), by: present(ofOld).ID }
    await repo.transaction(({ disputes }) => disputes.resolve(dispute.ID, byId))
    expect(await drop()).toEqual([disputed])
    expect(await drop()).toEqual([])
  })
}
