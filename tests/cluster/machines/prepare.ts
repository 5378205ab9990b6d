import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { ready } from '../../../src/server/launch/ready.mjs'

/** Programs of the cluster, and the Debian packages that bring them. */
const programs = {
  '/usr/lib/postgresql/15/bin/postgres': 'postgresql-15',
  '/usr/bin/patroni': 'patroni',
  '/usr/bin/etcd': 'etcd-server',
  '/usr/sbin/haproxy': 'haproxy',
  '/usr/sbin/pgbouncer': 'pgbouncer',
}

const missing = () =>
  Object.entries(programs)
    .filter(([path]) => !existsSync(path))
    .map(([, name]) => name)

/** Builds the server, and installs what the cluster needs. Throws with the names of what is missing. */
export default async function prepare() {
  const needed = missing()
  if (needed.length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get'))
    install(needed)
  const still = missing()
  if (still.length > 0)
    throw new Error(
      `The cluster is not tested: it needs the Debian packages ${still.join(', ')}, which are missing and could not be installed here.`,
    )
  await ready()
}

/** Nothing that a package brings is started: Patroni's and PostgreSQL's services are not ours. */
function install(packages: string[]) {
  process.stdout.write(`Installing ${packages.join(', ')}\n`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  const command = `apt-get update -qq && apt-get install -y -qq --no-install-recommends ${packages.join(' ')}`
  spawnSync('sh', ['-c', command], {
    env,
    timeout: 300_000,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
