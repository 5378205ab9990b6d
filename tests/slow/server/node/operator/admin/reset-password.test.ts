import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { argonPasswords } from '#server/node/passwords.ts'
import { freshDatabase } from '../../../../../helpers/database/postgres.ts'
import { type AppServer, admin } from '../../../../../helpers/server/app-server.ts'
import { runCommand } from '../../../../../helpers/server/operator-command.ts'
import { databaseOf, processes } from '../../../../../helpers/server/processes.ts'
import {
  adminEmail,
  postgresDatabase,
  present,
  startTestServer,
} from '../../../../../helpers/server/server.ts'

/* `npm run admin` without the build: the operator's command, with and without a running server. */

const { started } = processes()

async function command(env: Record<string, string>, ...args: string[]) {
  const result = await runCommand(env, 'admin', ...args)
  const password = /^password: (\S{12,})$/.exec(result.stdout.trim().split('\n').at(-1) ?? '')?.[1]
  return { ...result, password }
}

const login = (server: Pick<AppServer, 'origin'>, email: string, password: string) =>
  fetch(`${server.origin}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })

test('R11: reset-password works while the server runs and while it does not', async () => {
  const { server, ask } = await started()
  const env = { DATA_DIR: server.dataDir }
  const token = present((await ask('login', { body: admin })).value).token
  // Failed logins from this address, which the reset clears.
  for (let tries = 0; tries < 10; tries++)
    expect((await login(server, admin.email, 'wrong')).status).toBe(401)
  expect((await login(server, admin.email, admin.password)).status).toBe(429)

  const first = await command(env, 'reset-password', admin.email.toUpperCase())
  expect(first).toMatchObject({ status: 0, stderr: '', password: expect.any(String) })
  const password = present(first.password)
  expect((await login(server, admin.email, admin.password)).status).toBe(401)
  const again = await login(server, admin.email, password)
  expect(again.status).toBe(200)
  await expect(ask('me', { token })).rejects.toMatchObject({ status: 401 })
  const fresh = (await again.json()).token
  const query = { search: 'console' }
  const { value } = await ask('adminAudit', { token: fresh, query })
  expect(value?.entries[0]).toMatchObject({
    Actor: 'console',
    Action: 'resetPassword',
    Subject: admin.email,
    Address: '',
  })
  expect(server.lines.join('\n')).not.toContain(password)

  // First the server is killed and its database runs; then neither runs.
  await server.kill()
  expect(databaseOf(server)).toBeDefined()
  expect((await command(env, 'reset-password', admin.email)).status).toBe(0)
  expect(databaseOf(server)).toBeDefined()
  process.kill(present(databaseOf(server)), 'SIGINT')
  await expect.poll(() => databaseOf(server)).toBeUndefined()
  const last = await command(env, 'reset-password', admin.email)
  expect(last).toMatchObject({ status: 0, stderr: '' })
  expect(databaseOf(server)).toBeUndefined()
  await server.restart()
  expect((await login(server, admin.email, present(last.password))).status).toBe(200)
})

test('an unknown account or an unknown command prints one line and exits with 1', async () => {
  const { server } = await started()
  const env = { DATA_DIR: server.dataDir }
  const no = (line: string) => ({ status: 1, stdout: '', stderr: `${line}\n`, password: undefined })
  expect(await command(env, 'reset-password', 'nobody@example.com')).toEqual({
    ...no('There is no account with the e-mail nobody@example.com.'),
    stdout: `Database: ${server.dataDir}, 0 deliveries\n`,
  })
  expect(await command(env, 'reset-password')).toEqual(
    no('Usage: npm run admin -- reset-password <email>'),
  )
  const elsewhere = join(server.dataDir, 'none')
  expect(await command({ DATA_DIR: elsewhere }, 'reset-password', 'a@b.c')).toEqual(
    no(`There is no database in ${elsewhere}. Start the server there first.`),
  )
  expect(existsSync(elsewhere)).toBe(false)
})

test('reset-password works in the database of DATABASE_URL, for any account', async () => {
  const database = await freshDatabase(inject('postgresUrl'))
  const server = await startTestServer(postgresDatabase(database), { passwords: argonPasswords(2) })
  const ama = await server.sender()
  const env = { DATABASE_URL: database.ownerUrl, SECRET_KEY: 'cd'.repeat(32) }
  const { password } = await command(env, 'reset-password', ama.email)
  const body = { email: ama.email, password: present(password) }
  expect((await server.raw('POST', '/login', { body })).status).toBe(200)
  expect((await server.raw('GET', '/users/me', { token: ama.token })).status).toBe(401)
  const other = { email: adminEmail, password: 'correct horse battery' }
  expect((await server.raw('POST', '/login', { body: other })).status).toBe(200)
  await server.close()
  await database.drop()
})

test('the key file is readable by its owner only, and another key prints one line and exits with 1', async () => {
  const { server } = await started()
  const file = join(server.dataDir, 'secret.key')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const key = readFileSync(file, 'utf8')
  await server.restart()
  expect(readFileSync(file, 'utf8')).toBe(key)
  await server.kill()
  const { dataDir, port } = server
  const environment = { PORT: `${port}`, DATA_DIR: dataDir, SECRET_KEY: 'cd'.repeat(32) }
  expect(await runCommand(environment)).toEqual({
    status: 1,
    stdout: '',
    stderr:
      'This SECRET_KEY (or the file secret.key in DATA_DIR) is not the one this database was made with.\n',
  })
})

test('the console SMS provider logs a warning when the service is reachable from other machines', async () => {
  const warned = (server: AppServer) => server.lines.filter((line) => line.includes('SMS ARE NOT'))
  const [near, far] = [
    await started({ PUBLIC_ORIGIN: 'http://localhost:1' }),
    await started({ PUBLIC_ORIGIN: 'https://soma.example' }),
  ]
  expect(warned(near.server)).toEqual([])
  expect(warned(far.server)).toHaveLength(1)
})
