import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { deviceLifetime, supportContacts } from '#server/http/support-contacts.ts'
import { expireOldRows } from '#server/node/upkeep/expire-old-rows.ts'
import type { StoredDevice } from '#server/ports/stores/record-stores.ts'
import { supportCodeFrom } from '#sync/database/device/support-code.ts'
import { type TestServer, testOptions } from '../../helpers/server/server.ts'
import { overIndexedDb } from '../both-adapters.ts'

const newCode = () => supportCodeFrom(crypto.getRandomValues(new Uint8Array(8)))

overIndexedDb((server) => {
  const deviceOf = (code: string) => server().repo.read(({ devices }) => devices.get(code))
  const lookUp = async (code: string) => {
    const { token } = await server().admin()
    const answer = await server().raw('GET', `/admin/support/${code}`, { token })
    return { status: answer.status, body: await answer.json() }
  }
  const stored = (code: string, expected: Partial<StoredDevice>) =>
    expect.poll(() => deviceOf(code)).toMatchObject(expected)

  test('R92: an admin looks up what a phone last reported, by its code in any spelling', async () => {
    const ama = await server().sender()
    const code = newCode()
    const headers = { 'x-support': `${code}.12`, 'x-client-version': '14' }
    await server().raw('GET', '/users/me', { token: ama.token, headers })
    await stored(code, { queueLength: 12 })
    const device = {
      code,
      lastContactAt: expect.stringMatching(/^\d{4}-.*Z$/),
      clientVersion: 14,
      queueLength: 12,
      user: { Name: ama.user.name, Email: ama.email },
    }
    for (const text of [code, code.toLowerCase(), `${code.slice(0, 4)}-${code.slice(4)}`])
      expect(await lookUp(text)).toEqual({ status: 200, body: { device } })
  })

  test.each(['00000000', 'short', 'K7QX-2MPD-1', v7()])(
    'R92: the code %s that no phone has is 404',
    async (code) => {
      expect(await lookUp(code)).toMatchObject({ status: 404, body: { reason: 'not-found' } })
    },
  )

  test('R92: a phone without a login is known, with what it reported', async () => {
    const code = newCode()
    await server().raw('GET', '/zones', { headers: { 'x-support': `${code}.0` } })
    await stored(code, { queueLength: 0 })
    const { body } = await lookUp(code)
    expect(Object.keys(body.device).sort()).toEqual(['code', 'lastContactAt', 'queueLength'])
  })

  test('R92: refused calls and unknown paths count as contact', async () => {
    const code = newCode()
    const headers = { 'x-support': `${code}.3` }
    expect((await server().raw('GET', '/users/me', { headers })).status).toBe(401)
    await stored(code, { queueLength: 3 })
    const other = newCode()
    await server().raw('POST', '/nowhere', { headers: { 'x-support': `${other}.4` } })
    await stored(other, { queueLength: 4 })
  })

  test.each(['', 'K7QX2MPD', 'K7QX2MPD.', '.4', 'K7QX2MPU.4', 'K7QX2MPD.-1', 'K7QX2MPD.1e3', 'x'])(
    'R92: the report "%s" is ignored, and the call answered',
    async (report) => {
      const answer = await server().raw('GET', '/zones', { headers: { 'x-support': report } })
      expect(answer.status).toBe(200)
      expect(await deviceOf('K7QX2MPD')).toBeUndefined()
    },
  )

  test('R92: one address makes 30 new codes in 15 minutes; codes that are known go on', async () => {
    const codes = Array.from({ length: 35 }, newCode)
    const address = '203.0.113.7'
    const contacts = supportContacts(server().ports, 0)
    const report = (code: string, count: number) =>
      contacts.heard(new Headers({ 'x-support': `${code}.${count}` }), address)
    for (const code of codes) report(code, 1)
    await contacts.close()
    const known = await Promise.all(codes.map(deviceOf))
    expect(known.filter((each) => each !== undefined)).toHaveLength(30)
    report(codes[0] ?? '', 2)
    await contacts.close()
    await stored(codes[0] ?? '', { queueLength: 2 })
    contacts.heard(new Headers({ 'x-support': `${codes[34]}.1` }), '203.0.113.8')
    await contacts.close()
    await stored(codes[34] ?? '', { queueLength: 1 })
  })

  test('R92: a code is written at most once an interval, and its newest report is not lost', async () => {
    const code = newCode()
    const writes: number[] = []
    const ports = { ...server().ports, repo: countingWrites(server(), writes) }
    const contacts = supportContacts(ports, 400)
    for (let count = 1; count <= 20; count++)
      contacts.heard(new Headers({ 'x-support': `${code}.${count}` }), '203.0.113.9')
    await stored(code, { queueLength: 20 })
    expect(writes).toHaveLength(2)
    await contacts.close()
  })

  test('R92: a phone that was silent for 30 days is forgotten', async () => {
    const code = newCode()
    await server().raw('GET', '/zones', { headers: { 'x-support': `${code}.1` } })
    await stored(code, { queueLength: 1 })
    const { repo, secrets, options } = server().ports
    const later = (by: number) => ({ repo, secrets, options, clock: () => Date.now() + by })
    await expireOldRows(later(deviceLifetime - 60_000))
    expect(await deviceOf(code)).toBeDefined()
    await expireOldRows(later(deviceLifetime + 60_000))
    expect(await deviceOf(code)).toBeUndefined()
  })
})

/** The server's repo, which notes each transaction. */
function countingWrites({ repo }: TestServer, writes: number[]): TestServer['repo'] {
  return {
    ...repo,
    transaction: (work) => {
      writes.push(Date.now())
      return repo.transaction(work)
    },
  }
}

overIndexedDb(
  (server) => {
    test('R92: a report that cannot be stored neither delays nor fails its call', async () => {
      const { repo } = server()
      const { transaction } = repo
      let fail = (_: Error) => {}
      repo.transaction = () =>
        new Promise((_, reject) => {
          fail = reject
        })
      const answer = await server().raw('GET', '/zones', {
        headers: { 'x-support': `${newCode()}.1` },
      })
      expect(answer.status).toBe(200)
      const warned = () => server().logged.join('\n').includes('for support was not stored')
      await expect
        .poll(() => {
          fail(new Error('no disk'))
          return warned()
        })
        .toBe(true)
      repo.transaction = transaction
    })

    test('R90, R92: an app that is too old is heard of', async () => {
      const code = newCode()
      const headers = { 'x-support': `${code}.7`, 'x-client-version': '3' }
      expect((await server().raw('GET', '/zones', { headers })).status).toBe(426)
      const device = () => server().repo.read(({ devices }) => devices.get(code))
      await expect.poll(device).toMatchObject({ queueLength: 7, clientVersion: 3 })
    })
  },
  { options: { ...testOptions, minClientVersion: 10 } },
)
