import { execFile } from 'node:child_process'
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { freePort } from '../../helpers/server/app-server.ts'
import { databaseUser, type Program, program, until } from './program.ts'

const run = promisify(execFile)

export type PostgresNode = {
  name: string
  port: number
  /** Of Patroni, which balancers ask for the node's role. */
  apiPort: number
  patroni: Program
  /** Kills Patroni and PostgreSQL at once, as the loss of a machine does. */
  kill(): Promise<void>
}

export type Postgres = {
  nodes: PostgresNode[]
  primary(): Promise<PostgresNode>
  /** The nodes that stream from the primary. */
  replicas(): Promise<PostgresNode[]>
  /** Restarts one node's PostgreSQL. */
  restart(node: PostgresNode): Promise<void>
  /** Makes another node the primary. */
  switchover(): Promise<void>
  stop(): Promise<void>
}

/** Seconds. The primary's lock is lost `ttl` after its last renewal. */
const times = { ttl: 8, loop_wait: 1, retry_timeout: 3 }

/** Three PostgreSQL kept by Patroni: a primary, a synchronous standby, and another standby. */
export async function startPostgres(
  folder: string,
  etcd: string[],
  password: string,
): Promise<Postgres> {
  const user = databaseUser()
  const nodes: PostgresNode[] = []
  for (let n = 0; n < 3; n++) {
    const own = { name: `node${n}`, port: await freePort(), apiPort: await freePort() }
    const home = `${folder}/${own.name}`
    await mkdir(home)
    await writeFile(`${home}/patroni.yml`, JSON.stringify(settingsOf(own, home, etcd, password)))
    if (user) await chown(home, user.uid, user.gid)
    const patroni = program(`patroni${n}`, ['/usr/bin/patroni', `${home}/patroni.yml`], {
      folder,
      cwd: home,
      user,
      env: { HOME: home },
    })
    nodes.push({ ...own, patroni, kill: () => killNode(patroni, home) })
  }
  for (const { patroni } of nodes) patroni.start()

  const has = async ({ apiPort }: PostgresNode, role: string) =>
    (await fetch(`http://127.0.0.1:${apiPort}/${role}`).catch(() => undefined))?.ok === true
  const those = async (role: string) => {
    const found = await Promise.all(
      nodes.map(async (node) => ((await has(node, role)) ? node : [])),
    )
    return found.flat()
  }
  async function primary() {
    const [found] = await those('primary')
    if (!found) throw new Error('There is no primary')
    return found
  }
  const control = (...args: string[]) =>
    run('/usr/bin/patronictl', ['-c', `${folder}/node0/patroni.yml`, ...args], { timeout: 60_000 })
  await until('one primary and a synchronous standby run', async () => {
    return (await those('primary')).length === 1 && (await those('sync')).length === 1
  })

  return {
    nodes,
    primary,
    replicas: () => those('replica'),
    async restart({ name }) {
      await control('restart', 'soma', name, '--force')
    },
    async switchover() {
      const { name } = await primary()
      const [standby] = await those('sync')
      if (!standby) throw new Error('No standby can take over')
      await control('switchover', 'soma', '--leader', name, '--candidate', standby.name, '--force')
    },
    async stop() {
      await Promise.all(nodes.map(({ kill }) => kill()))
    },
  }
}

function settingsOf(
  { name, port, apiPort }: Pick<PostgresNode, 'name' | 'port' | 'apiPort'>,
  home: string,
  etcd: string[],
  password: string,
) {
  const postgresql = {
    use_pg_rewind: true,
    use_slots: true,
    parameters: {
      max_connections: 100,
      shared_buffers: '64MB',
      wal_log_hints: 'on',
      // The load is that of a busy minute on a machine that also runs everything else.
      full_page_writes: 'on',
    },
  }
  return {
    scope: 'soma',
    name,
    restapi: { listen: `127.0.0.1:${apiPort}`, connect_address: `127.0.0.1:${apiPort}` },
    etcd3: { hosts: etcd },
    bootstrap: {
      dcs: { ...times, maximum_lag_on_failover: 1_048_576, synchronous_mode: true, postgresql },
      initdb: [{ encoding: 'UTF8' }, 'data-checksums'],
      pg_hba: [
        'local all all trust',
        'host all all 127.0.0.1/32 scram-sha-256',
        'host replication all 127.0.0.1/32 scram-sha-256',
      ],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: `${home}/data`,
      bin_dir: '/usr/lib/postgresql/15/bin',
      pgpass: `${home}/pgpass`,
      authentication: {
        superuser: { username: 'postgres', password },
        replication: { username: 'replicator', password },
        rewind: { username: 'rewinder', password },
      },
      parameters: { unix_socket_directories: home },
    },
  }
}

async function killNode(patroni: Program, home: string) {
  await patroni.end('SIGKILL')
  const pid = await readFile(`${home}/data/postmaster.pid`, 'utf8').catch(() => '')
  try {
    process.kill(Number(pid.split('\n')[0]) || 2 ** 30, 'SIGKILL')
  } catch {
    // It did not run.
  }
}
