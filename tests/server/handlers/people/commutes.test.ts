import { expect, test } from 'vitest'
import { batchLines, operation } from '../../../helpers/server/batch.ts'
import { type Person, present } from '../../../helpers/server/server.ts'
import { overPostgres } from '../../both-adapters.ts'

/* The ways a driver goes again and again (R166). */

const path = '/driver/commutes'
const morning = { from: 'Osu', to: 'Tema', days: [1, 2], leaves: '07:00', notify: true }

overPostgres((server) => {
  const put = async ({ token }: Person, commutes: object[], key?: string) => {
    const answer = await server().raw('PUT', path, { token, key, body: { commutes } })
    return { status: answer.status, body: await answer.json() }
  }
  const me = async ({ token }: Person) => present((await server().ask('me', { token })).value).user

  test('R166: a driver’s commutes are replaced as a whole, a repeated request does it once, and the last one counts', async () => {
    const yaw = await server().driver()
    const key = crypto.randomUUID()
    const first = await put(yaw, [morning], key)
    expect(first).toMatchObject({ status: 200, body: { user: { commutes: [morning] } } })
    const evening = { ...morning, leaves: undefined, returns: '17:30', notify: false }
    expect((await put(yaw, [evening, morning])).status).toBe(200)
    expect((await put(yaw, [morning], key)).body).toEqual(first.body)
    expect((await me(yaw)).commutes).toEqual([{ ...evening, leaves: undefined }, morning])
    expect((await put(yaw, [])).body.user.commutes).toEqual([])
  })

  test('R88, R166: they go in a batch', async () => {
    const yaw = await server().driver()
    const change = operation('PUT', path, { body: { commutes: [morning] } })
    const lines = await batchLines(server(), [change], { token: yaw.token })
    expect(lines).toMatchObject([{ key: change.key, status: 200 }])
    expect((await me(yaw)).commutes).toEqual([morning])
  })

  test('R166: what is wrong is 400 in words and changes nothing; a zone that left the list may stay', async () => {
    const [yaw, admin] = [await server().driver(), await server().admin()]
    const name = `Zone ${crypto.randomUUID()}`
    const added = await server().ask('addZone', { token: admin.token, body: { name } })
    const there = { ...morning, to: name }
    expect((await put(yaw, [there])).status).toBe(200)
    await server().ask('removeZone', { token: admin.token, id: present(added.value).zone.ID })
    const wrong: [object[], RegExp][] = [
      [[{ ...morning, to: 'Nowhere' }], /not on the list/],
      [[{ ...morning, to: 'Osu' }], /cannot be the same/],
      [[{ ...morning, days: [] }], /one or more days/],
      [[{ ...morning, days: ['Monday'] }], /number from 1 to 7/],
      [[{ ...morning, leaves: '7am' }], /07:00/],
      [[{ ...morning, notify: undefined }], /told of jobs/],
      [Array(6).fill(morning), /at most 5/],
    ]
    for (const [commutes, words] of wrong) {
      const { status, body } = await put(yaw, commutes)
      expect([status, body.error]).toEqual([400, expect.stringMatching(words)])
    }
    expect((await put(yaw, [there, morning])).status).toBe(200)
    expect((await put(yaw, [morning])).status).toBe(200)
    expect((await put(yaw, [there])).body.reason).toBe('unknown-zone')
  })

  test('R166: nobody else sees them, admins included', async () => {
    const [yaw, admin] = [await server().driver(), await server().admin()]
    await put(yaw, [morning])
    for (const seen of [`/admin/users/${yaw.user.ID}`, '/admin/users', '/admin/drivers']) {
      const answer = await server().raw('GET', seen, { token: admin.token })
      expect(await answer.text()).not.toMatch(/commutes|leaves/)
    }
  })

  test('R166: a phone of the version before reads them as routes, and its routes change them', async () => {
    const yaw = await server().driver()
    const timed = { ...morning, returns: '17:30' }
    const plain = { from: 'Osu', to: '*', days: [1, 2, 3, 4, 5, 6, 7], notify: true }
    const silent = { ...plain, to: 'Madina', notify: false }
    await put(yaw, [timed, plain, silent])
    const [there, back] = [
      { from: 'Osu', to: 'Tema' },
      { from: 'Tema', to: 'Osu' },
    ]
    const [any, another] = [
      { from: 'Osu', to: '*' },
      { from: '*', to: 'Tema' },
    ]
    expect((await me(yaw)).notifications?.routes).toEqual([there, back, any])
    const choose = (routes: object[]) =>
      server().ask('changeNotifications', { token: yaw.token, body: { routes } as never })
    await choose([there, back, any, another])
    expect((await me(yaw)).commutes).toEqual([timed, plain, silent, { ...plain, ...another }])
    await choose([another])
    expect((await me(yaw)).commutes).toEqual([
      { ...timed, notify: false },
      silent,
      { ...plain, ...another },
    ])
    await choose([there, any, another, { from: 'Tema', to: '*' }, { from: '*', to: 'Osu' }])
    expect((await me(yaw)).commutes).toEqual([
      timed,
      silent,
      { ...plain, ...another },
      plain,
      { ...plain, from: 'Tema', to: '*' },
    ])
    const { token } = yaw
    const body = { kinds: { delivered: false }, quiet: { from: 0, to: 0 } }
    await server().ask('changeNotifications', { token, body })
    expect((await me(yaw)).commutes).toHaveLength(5)
  })
})
