import { freePort } from '../../helpers/server/app-server.ts'
import { type Program, program, until } from './program.ts'

export type Etcd = {
  /** `host:port` of each. */
  addresses: string[]
  members: Program[]
  /** The position of the leader among the members. */
  leader(): Promise<number>
}

/** Three etcd, which hold the lock of the primary. */
export async function startEtcd(folder: string): Promise<Etcd> {
  const ports: { client: number; peer: number }[] = []
  for (let n = 0; n < 3; n++) ports.push({ client: await freePort(), peer: await freePort() })
  const url = (port: number) => `http://127.0.0.1:${port}`
  const all = ports.map(({ peer }, n) => `etcd${n}=${url(peer)}`).join(',')
  const members = ports.map(({ client, peer }, n) =>
    program(
      `etcd${n}`,
      [
        '/usr/bin/etcd',
        ...['--name', `etcd${n}`],
        ...['--data-dir', `${folder}/etcd${n}`],
        ...['--listen-client-urls', url(client), '--advertise-client-urls', url(client)],
        ...['--listen-peer-urls', url(peer), '--initial-advertise-peer-urls', url(peer)],
        ...['--initial-cluster', all, '--log-level', 'warn'],
      ],
      { folder },
    ),
  )
  for (const each of members) each.start()

  type Status = { leader?: string; header?: { member_id?: string } }
  async function leader(): Promise<number> {
    for (const [n, { client }] of ports.entries()) {
      if (!members[n]?.isRunning()) continue
      const answer = await fetch(`${url(client)}/v3/maintenance/status`, {
        method: 'POST',
        body: '{}',
      })
      const { leader, header }: Status = await answer.json()
      if (leader !== undefined && leader === header?.member_id) return n
    }
    throw new Error('etcd has no leader')
  }
  await until('etcd elects a leader', async () => (await leader()) >= 0)
  return { addresses: ports.map(({ client }) => `127.0.0.1:${client}`), members, leader }
}
