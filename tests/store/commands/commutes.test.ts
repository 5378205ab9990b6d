import { expect, test } from 'vitest'
import type { Commute } from '#domain/users/commute.ts'
import { ownCommutes } from '#store/queries/account/own-commutes.ts'
import { present } from '../../helpers/server/server.ts'
import { serverOfFile } from '../../sync/server-fixture.ts'

const { server, network, phoneOf } = serverOfFile()

const morning: Commute = { from: 'Osu', to: 'Tema', days: [1, 2], leaves: '07:00', notify: true }
const evening: Commute = { ...morning, leaves: undefined, returns: '17:30', notify: false }

test('R166: commutes are changed offline, shown at once, arrive in order, and a second phone shows them', async () => {
  const yaw = await server().driver()
  const [phone, other] = [await phoneOf(yaw), await phoneOf(yaw)]
  await other.settle()
  network().cut()
  const { commands } = phone
  await Promise.all([
    commands.changeCommutes((now) => [...now, morning]),
    commands.changeCommutes((now) => [...now, evening]),
  ])
  expect(await ownCommutes(phone.db)).toMatchObject({
    commutes: [morning, { to: 'Tema', returns: '17:30' }],
    waiting: { op: 'changeCommutes' },
  })
  const held = await commands.changeCommutes((now) => now.slice(1), { holdFor: 10_000 })
  expect((await ownCommutes(phone.db)).commutes).toHaveLength(1)
  await commands.discard(held)
  network().restore()
  await phone.settle()
  const expected = [morning, JSON.parse(JSON.stringify(evening))]
  expect(await ownCommutes(phone.db)).toEqual({ commutes: expected, waiting: undefined })
  await other.settle()
  expect((await ownCommutes(other.db)).commutes).toEqual(expected)
  expect(present((await server().ask('me', { token: yaw.token })).value).user.commutes).toEqual(
    expected,
  )
})

test('R166: what is wrong is refused at once, and what the server refuses is undone', async () => {
  const yaw = await server().driver()
  const phone = await phoneOf(yaw)
  const { commands, db } = phone
  await expect(commands.changeCommutes(() => [{ ...morning, to: 'Nowhere' }])).rejects.toThrow(
    'not on the list',
  )
  await expect(commands.changeCommutes(() => Array(6).fill(morning))).rejects.toThrow('at most 5')
  await commands.changeCommutes(() => [morning])
  await phone.settle()
  network().cut()
  await commands.changeCommutes((now) => [...now, { ...morning, to: 'Madina' }])
  await server().pool().query(`delete from zones where name = 'Madina'`)
  network().restore()
  await phone.settle()
  expect(await ownCommutes(db)).toEqual({ commutes: [morning], waiting: undefined })
})

test('R166: what the version before knew as routes is shown as commutes', async () => {
  const phone = await phoneOf(await server().driver())
  const session = present(await phone.db.sessions.get('current'))
  const { commutes: _, ...user } = session.user
  const notifications = { routes: [{ from: 'Osu', to: '*' }] }
  await phone.db.sessions.update('current', { user: { ...user, notifications } })
  expect((await ownCommutes(phone.db)).commutes).toEqual([
    { from: 'Osu', to: '*', days: [1, 2, 3, 4, 5, 6, 7], notify: true },
  ])
})
