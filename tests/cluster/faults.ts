import { setTimeout as pause } from 'node:timers/promises'
import { until } from './machines/program.ts'
import { untilReady } from './machines/servers.ts'
import type { Topology } from './machines/topology.ts'

/** What is done to the cluster while the load goes on. `hit` is called when the fault has happened. */
type Fault = {
  name: string
  cause(topology: Topology, hit: () => void): Promise<void>
}

/** Milliseconds of load that follow what a fault has started. */
export const settling = 2_500

const killPrimary: Fault = {
  name: 'kill -9 of the primary (PostgreSQL and Patroni)',
  async cause({ postgres }, hit) {
    const lost = await postgres.primary()
    await lost.kill()
    hit()
    await until('another node is the primary', async () => (await postgres.primary()) !== lost)
    await pause(settling)
    lost.patroni.start()
  },
}

const killServer: Fault = {
  name: 'kill -9 of a server process',
  async cause({ servers }, hit) {
    await servers.present[1]?.end('SIGKILL')
    hit()
    await pause(settling)
    servers.present[1]?.start()
    await untilReady(servers.ports[1] ?? 0)
  },
}

const stopEtcdLeader: Fault = {
  name: 'end of etcd’s leader',
  async cause({ etcd }, hit) {
    const lost = await etcd.leader()
    await etcd.members[lost]?.end('SIGTERM')
    hit()
    await until('etcd has another leader', async () => (await etcd.leader()) !== lost)
    await pause(settling)
    etcd.members[lost]?.start()
  },
}

/** The first of the newer processes migrates the tables, while those of before work. */
const upgradeServers: Fault = {
  name: 'upgrade of the servers in turn, with a migration',
  async cause({ servers }, hit) {
    hit()
    for (const [n, port] of servers.ports.entries()) {
      await servers.present[n]?.end('SIGTERM')
      servers.newer[n]?.start()
      await untilReady(port)
      await pause(1_000)
    }
  },
}

const restartPostgres: Fault = {
  name: 'restart of every PostgreSQL in turn, with a switchover',
  async cause({ postgres }, hit) {
    await until('both standbys stream', async () => (await postgres.replicas()).length === 2)
    hit()
    for (const each of await postgres.replicas()) await postgres.restart(each)
    const before = await postgres.primary()
    await until('a standby can take over', () => postgres.switchover().then(() => true))
    await until('another node is the primary', async () => (await postgres.primary()) !== before)
    await pause(settling)
  },
}

export const faults = [killServer, killPrimary, stopEtcdLeader, upgradeServers, restartPostgres]
