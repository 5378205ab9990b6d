import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { admin } from '../../../helpers/server/app-server.ts'
import { begunLogin } from '../../../helpers/server/begun-login.ts'
import { databaseOf, isAlive, processes } from '../../../helpers/server/processes.ts'
import { present } from '../../../helpers/server/server.ts'

/* Stops, kills and restarts the server and its database. */

const { started, stopped } = processes()

const zonesFor = async (ask: Awaited<ReturnType<typeof started>>['ask']) =>
  present((await ask('zones')).value).zones.map(({ Name }) => Name)

test('acknowledged changes survive a stop, a crash of the server, and a crash of server and database', async () => {
  const { server, ask } = await started()
  const login = async () => present((await ask('login', { body: admin })).value).token
  const token = await login()
  const key = v7()
  const add = (name: string, key = v7()) => ask('addZone', { token, key, body: { name } })
  await add('Before', key)

  await server.restart()
  expect(await zonesFor(ask)).toContain('Before')

  // The server only: its database keeps running and is used again.
  await add('Crash of one')
  const database = present(databaseOf(server))
  await server.kill()
  expect(databaseOf(server)).toBe(database)
  await server.restart()
  expect(databaseOf(server)).toBe(database)
  expect(await zonesFor(ask)).toContain('Crash of one')

  // Both at once.
  await add('Crash of both')
  await server.kill()
  process.kill(database, 'SIGKILL')
  await expect.poll(() => databaseOf(server)).toBeUndefined()
  await server.restart()
  expect(await zonesFor(ask)).toEqual(
    expect.arrayContaining(['Before', 'Crash of one', 'Crash of both']),
  )
  // The token and the request key survive too.
  const again = await add('Before', key)
  expect(again.replayed).toBe(true)
})

test('R70: after a kill during writes every response still holds, and a repeat has no second effect', async () => {
  const { server, ask } = await started()
  const token = present((await ask('login', { body: admin })).value).token
  const keys = Array.from({ length: 60 }, () => v7())
  const acknowledged = new Set<string>()
  let killed: Promise<void> | undefined
  const add = async (key: string) => {
    await ask('addItem', { token, key, body: { name: `Item ${key}` } })
    acknowledged.add(key)
    if (acknowledged.size === 4) killed ??= server.kill()
  }
  await Promise.allSettled(keys.map(add))
  await killed
  expect(acknowledged.size).toBeLessThan(keys.length)
  await server.restart()
  const names = async () => present((await ask('items')).value).items.map(({ ID }) => ID)
  expect(await names()).toEqual(expect.arrayContaining([...acknowledged]))
  await Promise.all(keys.map(add))
  const items = await names()
  expect(items.filter((id) => keys.includes(id)).sort()).toEqual([...keys].sort())
})

test('on a stop signal the server finishes open requests, exits with 0 and stops its database', async () => {
  const { server } = await started()
  const logins = await Promise.all(Array.from({ length: 5 }, () => begunLogin(server)))
  const database = present(databaseOf(server))
  const code = stopped(server)
  const reach = () =>
    fetch(`${server.origin}/healthz`).then(
      ({ ok }) => ok,
      () => 'no more',
    )
  await expect.poll(reach).toBe('no more')
  const answers = logins.map((finish) => finish())
  expect(await Promise.all(answers)).toEqual(Array(5).fill(200))
  expect(await code).toBe(0)
  expect(isAlive(database)).toBe(false)
})

test('on a stop signal readiness is off at once, new requests are still answered for DRAIN_SECONDS, then event streams end', async () => {
  const { server, ask } = await started({ DRAIN_SECONDS: '4' })
  const token = present((await ask('login', { body: admin })).value).token
  const headers = { authorization: `Bearer ${token}` }
  const events = await fetch(`${server.origin}/api/events`, { headers })
  let hasEnded = false
  const ended = events.text().then(() => {
    hasEnded = true
  })
  const code = stopped(server)
  const ready = () => fetch(`${server.origin}/readyz`).then((answer) => answer.json())
  await expect.poll(ready).toMatchObject({ status: 'stopping', database: 'ready' })
  expect((await ask('zones')).status).toBe(200)
  expect(hasEnded).toBe(false)
  await ended
  expect(await code).toBe(0)
})

test('a database that dies is restarted, and the server goes on', async () => {
  const { server, ask } = await started()
  process.kill(present(databaseOf(server)), 'SIGKILL')
  const status = async (asked: Promise<{ status: number }>) =>
    (await asked.catch(() => ({ status: 503 }))).status
  await expect.poll(() => status(ask('zones'))).toBe(200)
  await expect.poll(() => status(ask('login', { body: admin }))).toBe(200)
})
