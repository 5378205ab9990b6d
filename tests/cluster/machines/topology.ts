import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '../../helpers/server/app-server.ts'
import { startHaproxy, startPgbouncer } from './balancers.ts'
import { startEtcd } from './etcd.ts'
import { startPostgres } from './postgres.ts'
import { newerBuild, serverProgram, untilReady } from './servers.ts'

export type Topology = Awaited<ReturnType<typeof startTopology>>

/*
 *   clients ─▶ HAProxy ─▶ three servers ─┬─▶ pgbouncer ─▶ HAProxy ─▶ the primary (DATABASE_URL)
 *                                        ├─▶ HAProxy ─▶ the primary (DATABASE_URL_DIRECT)
 *                                        └─▶ HAProxy ─▶ a standby (DATABASE_URL_REPLICA)
 *   three PostgreSQL with Patroni, which keeps the primary's lock in three etcd
 */

const password = 'c1a5'.repeat(4)

/** Starts everything in a folder of its own, on free ports of this machine. */
export async function startTopology() {
  const folder = await mkdtemp(join(tmpdir(), 'soma-cluster-'))
  // PostgreSQL and pgbouncer run as another user when this runs as root.
  await chmod(folder, 0o755)
  const etcd = await startEtcd(folder)
  const postgres = await startPostgres(folder, etcd.addresses, password)
  const serverPorts = [await freePort(), await freePort(), await freePort()]
  const { haproxy, ports } = await startHaproxy(folder, postgres.nodes, serverPorts)
  await createDatabase((await postgres.primary()).port)
  const { pgbouncer, port: pooled } = await startPgbouncer(folder, ports.primary, {
    name: 'soma',
    password,
  })
  const addresses = {
    database: `postgres://soma:${password}@127.0.0.1:${pooled}/soma`,
    direct: `postgres://soma_owner:${password}@127.0.0.1:${ports.primary}/soma`,
    replica: `postgres://soma:${password}@127.0.0.1:${ports.replica}/soma`,
  }
  const newer = newerBuild(folder)
  const programsOf = (build: string | undefined, suffix = '') =>
    serverPorts.map((port, n) =>
      serverProgram(`server${n}${suffix}`, { folder, port, web: ports.web, addresses, build }),
    )
  const servers = {
    ports: serverPorts,
    present: programsOf(undefined),
    newer: programsOf(newer, '-newer'),
  }
  // All at once: one of them migrates the empty database.
  for (const each of servers.present) each.start()
  await Promise.all(serverPorts.map(untilReady))

  return {
    folder,
    origin: `http://127.0.0.1:${ports.web}`,
    etcd,
    postgres,
    servers,
    addresses,
    /** Logs stay when `keepsLogs`. */
    async stop(keepsLogs: boolean) {
      const all = [...servers.present, ...servers.newer, haproxy, pgbouncer, ...etcd.members]
      await Promise.all(all.map((each) => each.end('SIGKILL')))
      await postgres.stop()
      if (keepsLogs) process.stdout.write(`The logs of the cluster are in ${folder}\n`)
      else await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** The owner of the tables, and the user the servers work as. */
async function createDatabase(port: number) {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password,
    database: 'postgres',
  })
  await client.connect()
  for (const name of ['soma_owner', 'soma'])
    await client.query(`create role ${name} login password '${password}'`)
  await client.query('create database soma owner soma_owner')
  await client.end()
}
