import { v7 } from 'uuid'
import { afterAll, expect, inject, test } from 'vitest'
import { runAdminTask } from '#server/node/operator/admin/run-task.ts'
import { tasks } from '#server/node/operator/admin/tasks.ts'
import { readConfig } from '#server/node/startup/config.ts'
import { writeDifferences } from '#server/rules/money/differences.ts'
import { freshDatabase } from '../../../../helpers/database/postgres.ts'
import { readEvents } from '../../../../helpers/server/event-reader.ts'
import { postgresDatabase, present, startTestServer } from '../../../../helpers/server/server.ts'

/* The tasks of `npm run admin` beside a running server. */

const database = await freshDatabase(inject('postgresUrl'))
const server = await startTestServer(postgresDatabase(database))
afterAll(async () => {
  await server.close()
  await database.drop()
})

const task = (...args: string[]) =>
  runAdminTask(args, readConfig({ DATABASE_URL: database.ownerUrl, SECRET_KEY: 'cd'.repeat(32) }))

const isLoggedIn = async (token: string) =>
  (await server.raw('GET', '/users/me', { token })).status === 200

async function newestAudit() {
  const { token } = await server.admin()
  const query = { search: 'console', sort: '-At' }
  const { value } = await server.ask('adminAudit', { token, query })
  return value?.entries[0]
}

test('help names every task with its arguments, each on one line', async () => {
  const { lines } = await task('help')
  expect(await task()).toEqual({ lines })
  for (const [name, { args }] of Object.entries(tasks))
    expect(lines.filter((line) => line.includes(`  ${[name, ...args].join(' ')} `))).toHaveLength(1)
  expect(lines).toHaveLength(1 + Object.keys(tasks).length)
})

test.each([
  ['constructor'],
  ['other', 'a@b.c'],
  ['reset-password', 'a', 'b'],
  ['sessions'],
  ['sessions', 'a@b.c', 'more'],
  ['close-session', ''],
  ['verify-ledger', 'now'],
  ['help', 'sessions'],
])('%s %s %s is refused with one line', async (...args) => {
  await expect(task(...args)).rejects.toMatchObject({
    name: 'StartupError',
    message: expect.stringMatching(/^(Usage: npm run admin -- |There is no task )[^\n]*$/),
  })
})

test('R184: money prints the figures, and exits with 1 where a reconciliation differs', async () => {
  const ama = await server.sender()
  await server.delivery(ama, { offer: 25 })
  const { lines, isWrong } = await task('money')
  expect(lines[0]).toBe('held or promised: GH₵ 25.00')
  expect(lines.at(-1)).toBe('together GH₵ 25.00: all that came in')
  expect(isWrong).toBe(false)
  await server.repo.transaction((stores) => writeDifferences(stores, ['One is missing.']))
  const { lines: found, ...rest } = await task('money')
  expect(found.at(-1)).toBe('  One is missing.')
  expect(rest.isWrong).toBe(true)
})

test('sessions are listed and ended one by one or all, with a line in the audit log and news to the person', async () => {
  const ama = await server.sender()
  const { value } = await server.ask('login', {
    body: { email: ama.email, password: ama.password },
  })
  const second = present(value).token
  const { lines } = await task('sessions', ama.email.toUpperCase())
  expect(lines).toHaveLength(2)
  const { sessions } = await (await server.raw('GET', '/sessions', { token: second })).json()
  expect(lines.map((line) => line.split('  ')[0])).toEqual(
    sessions.map(({ id }: { id: string }) => id),
  )
  const own = sessions.find(({ current }: { current: boolean }) => current).id

  const stream = readEvents(await server.raw('GET', '/events', { token: ama.token }))
  await expect.poll(stream.hello).toBeDefined()
  await task('close-session', own)
  expect(await isLoggedIn(second)).toBe(false)
  expect(await isLoggedIn(ama.token)).toBe(true)
  await expect.poll(stream.news).toEqual([{ about: 'me' }])
  const byConsole = { Actor: 'console', Subject: ama.email, Address: '' }
  expect(await newestAudit()).toMatchObject({ ...byConsole, Action: 'closeSession' })

  await task('close-sessions', ama.email)
  expect(await isLoggedIn(ama.token)).toBe(false)
  await expect.poll(stream.hasEnded).toBe(true)
  expect(await newestAudit()).toMatchObject({ ...byConsole, Action: 'closeSessions' })
  expect(await task('sessions', ama.email)).toEqual({ lines: [`${ama.email} has no session.`] })
})

test('R145: release-phone takes a number from its account, also while a delivery is under way', async () => {
  const [efua, yaw] = [await server.sender(), await server.driver()]
  const made = await server.delivery(efua)
  await server.drive(made, yaw, 'Accepted')
  const { lines } = await task('release-phone', efua.phone)
  expect(lines).toEqual([
    `${efua.email} no longer has the number ${efua.phone}. Their deliveries stay.`,
  ])
  expect(await newestAudit()).toMatchObject({ Action: 'releasePhone', Subject: efua.email })
  const me = await server.ask('me', { token: efua.token })
  expect(me.value?.user).toMatchObject({ phone_number: '', Verified: false })
  // The driver is not shown a stranger's number.
  const seen = await server.ask('getDelivery', { token: yaw.token, id: made.ID })
  expect(seen.value?.delivery).toMatchObject({ senderPhone: '', sender: { phone: '' } })
  await server.sender({ phone_number: efua.phone, email: 'new.owner@example.com' })
  for (const number of ['0209999999', '233244123456', 'x'])
    await expect(task('release-phone', number)).rejects.toMatchObject({ name: 'StartupError' })
})

test('what is not there is one line: an account, a session, a support code', async () => {
  for (const [args, line] of [
    [['sessions', 'nobody@example.com'], /^There is no account with the e-mail nobody/],
    [['close-sessions', 'nobody@example.com'], /^There is no account/],
    [['close-session', v7()], /^There is no session with the ID /],
    [['close-session', 'x'], /^There is no session with the ID x\.$/],
    [['find-support-code', 'short'], /^A support code is 8 letters/],
    [['find-support-code', '0000-0000'], /^No phone has reported the code 0000-0000\.$/],
  ] as const)
    await expect(task(...args)).rejects.toThrow(line)
})

test('R92: a support code is found in any spelling, with who was last logged in', async () => {
  const ama = await server.sender()
  await server.repo.transaction(async ({ devices }) => {
    const at = '2026-11-20T10:00:00.000Z'
    await devices.add({
      code: 'K7QX2MPD',
      at,
      queueLength: 12,
      clientVersion: 14,
      userId: ama.user.ID,
    })
    await devices.add({ code: '00000001', at, queueLength: 0 })
  })
  const { lines } = await task('find-support-code', 'k7qx-2mpd')
  expect(lines).toEqual([
    'code: K7QX-2MPD',
    'last heard of: 2026-11-20T10:00:00.000Z',
    'unsent entries: 12',
    'version: 14',
    `last logged in: ${ama.user.name} <${ama.email}>`,
  ])
  expect((await task('find-support-code', '00000001')).lines).toContain('last logged in: nobody')
})
