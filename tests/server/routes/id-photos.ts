import { v7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BodyOf } from '#contract/queries.ts'
import { expireOldRows } from '#server/node/upkeep/expire-old-rows.ts'
import { collectPhotoGarbage, photoLifetime } from '#server/photos/collect-garbage.ts'
import { photoForm, picture } from '../../helpers/pictures.ts'
import { idNumberOf, type Person, present, type TestServer } from '../../helpers/server/server.ts'
import { twoSecondsLater } from '../../helpers/server/two-seconds-later.ts'

const day = 24 * 60 * 60_000

/** The headers without the request ID, which differs between any two responses. */
function headersOf(answer: Response) {
  const { 'x-request-id': _, ...headers } = Object.fromEntries(answer.headers)
  return headers
}
let seed = 100

/** Photos of drivers' IDs on the server that `start` starts. */
export function idPhotoTests(where: string, start: () => Promise<TestServer>) {
  describe(`ID photos over ${where}`, () => {
    let server: TestServer
    let admin: Person
    beforeAll(async () => {
      server = await start()
      admin = await server.admin()
    })
    afterAll(() => server.close())

    async function upload(preset: string, file?: Buffer): Promise<string> {
      const body = photoForm(file ?? (await picture('jpeg', { seed: seed++ })), preset)
      const answer = await server.raw('POST', '/images/upload', { body })
      expect(answer.status).toBe(200)
      return (await answer.json()).secure_url
    }

    const pathOf = (url: string) => new URL(url).pathname.replace('/api', '')
    const nameOf = (url: string) => pathOf(url).replace('/images/', '')
    const get = (url: string, about: Parameters<TestServer['raw']>[2] = {}) =>
      server.raw('GET', pathOf(url), about)
    const status = async (url: string, token?: string) => (await get(url, { token })).status

    const views = () =>
      server.repo
        .read(({ audit }) => audit.list({ limit: 1_000 }))
        .then(({ rows }) => rows.filter(({ Action }) => Action === 'viewIdPhoto'))

    const signUpWith = (idPhoto: string, over: Partial<BodyOf<'signup'>> = {}) =>
      server.signUp('driver', { idPhoto, ...over })
    const application = (person: Person) =>
      server.repo.read(({ applications }) => applications.get(person.user.ID))
    const rowOf = (url: string) => server.repo.read(({ photos }) => photos.get(nameOf(url)))
    const review = (person: Person, decision: 'approved' | 'rejected' = 'approved') =>
      server.ask('reviewDriver', {
        token: admin.token,
        id: person.user.ID,
        body: { status: decision },
      })

    test('R55: uploaded with the ID preset are served to admins only', async () => {
      const url = await upload('soma-id')
      const yaw = await signUpWith(url)
      const ama = await server.sender()
      const guest = await server.guestDelivery()
      const dead = await server.admin()
      await server.ask('logout', { token: dead.token })
      const missing = await get(url.replace(/[0-9a-f]{64}/, 'd'.repeat(64)))
      const nothing = [missing.status, await missing.text(), headersOf(missing)]
      const before = (await views()).length
      for (const token of [
        undefined,
        yaw.token,
        ama.token,
        guest.token,
        dead.token,
        'x'.repeat(43),
      ]) {
        const answer = await get(url, { token })
        expect([answer.status, await answer.text(), headersOf(answer)]).toEqual(nothing)
        const etag = { 'if-none-match': `"${nameOf(url)}"` }
        expect((await get(url, { token, headers: etag })).status).toBe(404)
      }
      expect(await views()).toHaveLength(before)

      const seen = await get(url, { token: admin.token, address: '203.0.113.9' })
      expect(seen.status).toBe(200)
      expect(Buffer.from(await seen.arrayBuffer()).subarray(0, 3)).toEqual(
        Buffer.from([0xff, 0xd8, 0xff]),
      )
      expect(Object.fromEntries(seen.headers)).toMatchObject({
        'cache-control': 'private, no-store',
        'content-type': 'image/jpeg',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
      })
      expect(seen.headers.get('access-control-allow-origin')).toBeNull()
      expect(seen.headers.get('etag')).toBeNull()
      const [view] = await views()
      expect(view).toMatchObject({
        Actor: admin.email,
        Action: 'viewIdPhoto',
        Subject: `${yaw.email} ${nameOf(url)}`,
        Address: '203.0.113.9',
      })
      expect(await views()).toHaveLength(before + 1)
    })

    test('R55: get a random name each time and are not public', async () => {
      const file = await picture('jpeg', { seed: seed++ })
      const [one, other, open] = [
        await upload('soma-id', file),
        await upload('soma-id', file),
        await upload('soma', file),
      ]
      expect(new Set([one, other, open]).size).toBe(3)
      expect(await status(open)).toBe(200)
      const images = present(server.ports.images)
      expect(await images.open(nameOf(one))).toBeUndefined()
      expect(await images.open(nameOf(one), true)).toBeDefined()
      expect(await rowOf(one)).toMatchObject({ isPrivate: true, isUsed: false })
    })

    test('R55: are not served when the view cannot be recorded', async () => {
      const url = await upload('soma-id')
      await signUpWith(url)
      const { repo } = server.ports
      const { transaction } = repo
      repo.transaction = () => Promise.reject(new Error('The disk is full'))
      const answer = await get(url, { token: admin.token })
      repo.transaction = transaction
      expect(answer.status).toBe(500)
      expect((await answer.json()).reason).toBe('internal')
      expect(await status(url, admin.token)).toBe(200)
    })

    test('R55: uploaded with the public preset become private with the sign-up, under the same URL', async () => {
      const file = await picture('jpeg', { seed: seed++ })
      const url = await upload('soma', file)
      expect(await status(url)).toBe(200)
      const yaw = await twoSecondsLater(() => signUpWith(url))
      expect((await application(yaw))?.IDPhoto).toBe(url)
      expect([await status(url), await status(url, admin.token)]).toEqual([404, 200])
      // At once by its row, and soon by its folder.
      const images = present(server.ports.images)
      await expect.poll(() => images.open(nameOf(url))).toBeUndefined()
      expect([await status(url), await status(url, admin.token)]).toEqual([404, 200])
      // Whoever uploads the same bytes publicly gets a public URL.
      const again = await upload('soma', file)
      expect(again).not.toBe(url)
      expect([await status(again), await status(url)]).toEqual([200, 404])
    })

    test('stay public when the sign-up fails', async () => {
      const url = await upload('soma')
      const taken = await server.signUp('sender')
      await expect(signUpWith(url, { email: taken.email })).rejects.toMatchObject({
        reason: 'email-taken',
      })
      expect(await status(url)).toBe(200)
      // A photo in a sender's sign-up has no effect.
      await server.signUp('sender', { idPhoto: url })
      expect(await status(url)).toBe(200)
    })

    test('cannot be used to hide a photo that a delivery names', async () => {
      for (const kind of ['item', 'proof'] as const) {
        const url = await upload('soma')
        const ama = await server.sender()
        const made = await server.delivery(ama, kind === 'item' ? { itemPhoto: url } : {})
        if (kind === 'proof') {
          const kofi = await server.driver({ idPhoto: await upload('soma-id') })
          await server.drive(made, kofi, 'Picked Up')
          const body = { status: 'Picked Up' as const, proofOfDelivery: url }
          await server.ask('changeStatus', { token: kofi.token, id: made.ID, body })
        }
        const attacker = await signUpWith(url)
        expect(await status(url)).toBe(200)
        const own = present((await application(attacker))?.IDPhoto)
        expect(own).not.toBe(url)
        expect([await status(own), await status(own, admin.token)]).toEqual([404, 200])
      }
    })

    test('of another provider or of an unknown form are left unchanged', async () => {
      const url = `${server.ports.options.imageHost}/elsewhere/a.jpg`
      const yaw = await signUpWith(url)
      expect((await application(yaw))?.IDPhoto).toBe(url)
    })

    describe('the sweep', () => {
      const pass = async (after = 0) => {
        server.clock.advance(after)
        await expireOldRows(server.ports)
        await collectPhotoGarbage(server.ports)
        // The sessions have expired.
        admin = await server.admin()
      }

      test('makes those of earlier versions private, and copies one that a delivery names', async () => {
        const [alone, shared] = [await upload('soma'), await upload('soma')]
        const ama = await server.sender()
        await server.delivery(ama, { itemPhoto: shared })
        const people = [
          await signUpWith(await upload('soma-id')),
          await signUpWith(await upload('soma-id')),
        ]
        // As stored by an earlier version.
        await server.repo.transaction(async ({ applications, photos }) => {
          for (const [at, url] of [alone, shared].entries()) {
            await applications.changePhoto(present(people[at]).user.ID, url)
            await photos.use(nameOf(url))
          }
        })
        await pass()
        const [first, second] = await Promise.all(people.map(application))
        expect(first?.IDPhoto).toBe(alone)
        expect([await status(alone), await status(alone, admin.token)]).toEqual([404, 200])
        const copy = present(second?.IDPhoto)
        expect(copy).not.toBe(shared)
        expect([await status(shared), await status(copy)]).toEqual([200, 404])
        expect(await status(copy, admin.token)).toBe(200)
      })

      test('moves one whose move was interrupted', async () => {
        const url = await upload('soma')
        await server.repo.transaction(({ photos }) =>
          photos.makePrivate(nameOf(url), new Date().toISOString()),
        )
        const images = present(server.ports.images)
        expect(await images.open(nameOf(url))).toBeDefined()
        await pass()
        expect(await images.open(nameOf(url))).toBeUndefined()
        expect(await images.open(nameOf(url), true)).toBeDefined()
      })

      test('R55: deletes them 90 days after the decision, not before, and not during a dispute', async () => {
        const urls = [await upload('soma-id'), await upload('soma-id'), await upload('soma-id')]
        const [done, disputed, pending] = await Promise.all(urls.map((url) => signUpWith(url)))
        const [doneUrl = '', , pendingUrl = ''] = urls
        const driver = await server.verify(present(disputed))
        await review(present(done), 'rejected')
        await review(driver)
        const ama = await server.sender()
        const made = await server.delivery(ama)
        await server.drive(made, driver, 'Delivered')
        const { ID: dispute } = await server.report(ama, made.ID)
        await pass(photoLifetime.idAfterDecision - 60_000)
        expect(await status(doneUrl, admin.token)).toBe(200)
        await pass(120_000)
        const shown = () => Promise.all(urls.map((url) => status(url, admin.token)))
        expect(await shown()).toEqual([404, 200, 200])
        expect(await rowOf(doneUrl)).toBeUndefined()
        expect(await present(server.ports.images).open(nameOf(doneUrl), true)).toBeUndefined()

        const list = await server.raw('GET', '/admin/drivers', { token: admin.token })
        const { drivers } = await list.json()
        const entry = drivers.find(({ ID }: { ID: string }) => ID === present(done).user.ID)
        expect(entry.IDNumber).toBe(idNumberOf(present(done).phone))
        expect('IDPhoto' in entry).toBe(false)

        await server.ask('resolveDispute', {
          token: admin.token,
          id: dispute,
          body: { status: 'resolved', resolution: 'Paid for' },
        })
        await pass()
        expect(await shown()).toEqual([404, 404, 200])
        expect((await application(present(pending)))?.IDPhoto).toBe(pendingUrl)
        expect((await application(present(disputed)))?.IDPhoto).toBeUndefined()
      })

      test('R55: starts the 90 days again with each decision', async () => {
        const url = await upload('soma-id')
        const yaw = await signUpWith(url)
        await review(yaw)
        await pass(80 * day)
        await review(yaw, 'rejected')
        await pass(80 * day)
        expect(await status(url, admin.token)).toBe(200)
        await pass(11 * day)
        expect(await status(url, admin.token)).toBe(404)
      })

      test('R66: deletes photos that nothing refers to after 30 days, and no other', async () => {
        const [unused, item] = [await upload('soma'), await upload('soma')]
        const file = await picture('jpeg', { seed: seed++ })
        const again = await upload('soma', file)
        const secret = await upload('soma-id')
        const ama = await server.sender()
        await server.delivery(ama, { itemPhoto: item })
        await pass(20 * day)
        expect(await upload('soma', file)).toBe(again)
        await pass(11 * day)
        expect(await Promise.all([unused, item, again].map((url) => status(url)))).toEqual([
          404, 200, 200,
        ])
        expect(await status(secret, admin.token)).toBe(404)
        expect([await rowOf(unused), await rowOf(secret)]).toEqual([undefined, undefined])
        await pass(20 * day)
        expect(await status(again)).toBe(404)
      })

      test('deletes old files without a row, from several processes at once', async () => {
        // Files have the real time, unlike the clocks of the other tests.
        const fresh = await start()
        const images = present(fresh.ports.images)
        const sweepThrice = () => Promise.all([1, 2, 3].map(() => collectPhotoGarbage(fresh.ports)))
        const names = Array.from(
          { length: 20 },
          () => `${v7().replaceAll('-', '')}${'e'.repeat(32)}.jpg`,
        )
        for (const name of names)
          await images.put(name, Buffer.from('x'), names.indexOf(name) % 2 === 0)
        const kept = async () => {
          const found = new Set<string>()
          for await (const files of images.list()) for (const { name } of files) found.add(name)
          return names.filter((name) => found.has(name)).length
        }
        await sweepThrice()
        expect(await kept()).toBe(20)
        fresh.clock.advance(31 * day)
        await sweepThrice()
        expect(await kept()).toBe(0)
        await fresh.close()
      })
    })
  })
}
