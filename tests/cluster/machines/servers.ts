import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { admin } from '../../helpers/server/app-server.ts'
import { type Program, program, until } from './program.ts'

const project = join(import.meta.dirname, '../../..')
const migrations = 'src/server/postgres/migrations'

type Addresses = { database: string; direct: string; replica: string }

/** A server process; `build` is the folder its program and its migrations come from. */
export function serverProgram(
  name: string,
  {
    folder,
    port,
    web,
    addresses,
    build = project,
  }: {
    folder: string
    port: number
    /** The port that clients know. */
    web: number
    addresses: Addresses
    build?: string
  },
): Program {
  return program(name, [process.execPath, join(build, 'dist/server/main.js')], {
    folder,
    cwd: build,
    env: {
      PORT: `${port}`,
      PUBLIC_ORIGIN: `http://127.0.0.1:${web}`,
      // One folder for all: they run on one machine.
      DATA_DIR: `${folder}/data`,
      DATABASE_URL: addresses.database,
      DATABASE_URL_DIRECT: addresses.direct,
      DATABASE_URL_REPLICA: addresses.replica,
      SECRET_KEY: 'c1'.repeat(32),
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      TRUST_PROXY: '127.0.0.1/32',
      LIMITS: JSON.stringify({
        guestRequests: 1_000_000,
        signups: 1_000_000,
        login: 1_000,
        loginFrom: 100_000,
        changes: 1_000_000,
        creates: 1_000_000,
      }),
      LOG_LEVEL: 'warn',
    },
  })
}

const isReady = async (port: number): Promise<boolean> =>
  (await fetch(`http://127.0.0.1:${port}/readyz`)).ok

export const untilReady = (port: number): Promise<void> =>
  until(`the server on port ${port} is ready`, () => isReady(port))

/** The same program with one more migration, which expands the tables (src/CONTRIBUTING.md). */
export function newerBuild(folder: string): string {
  const build = join(folder, 'newer')
  mkdirSync(join(build, 'dist/server'), { recursive: true })
  for (const name of ['dist/server', migrations])
    cpSync(join(project, name), join(build, name), { recursive: true })
  symlinkSync(join(project, 'node_modules'), join(build, 'node_modules'))
  symlinkSync(join(project, 'package.json'), join(build, 'package.json'))
  const file = join(build, migrations, 'meta/_journal.json')
  const journal = JSON.parse(readFileSync(file, 'utf8'))
  const last = journal.entries.at(-1)
  journal.entries.push({ ...last, idx: last.idx + 1, when: last.when + 1, tag: '9999_expand' })
  writeFileSync(file, JSON.stringify(journal))
  writeFileSync(
    join(build, migrations, '9999_expand.sql'),
    `-- expands
     alter table deliveries add column remark text;
     alter table users add column points int not null default 0;
     create table notes (id text primary key);`,
  )
  return build
}
