import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { TestProject } from 'vitest/node'
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

declare module 'vitest' {
  export interface ProvidedContext {
    /** Debian packages that are missing and could not be installed. */
    missingPackages: string[]
  }
}

/** Builds the server, and installs what the cluster needs. Says what is missing where it cannot. */
export default async function prepare(project: TestProject) {
  const needed = missing()
  if (needed.length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get'))
    install(needed)
  const still = missing()
  project.provide('missingPackages', still)
  if (still.length > 0)
    return void process.stdout.write(
      `The cluster is not tested: it needs the Debian packages ${still.join(', ')}, which are missing and could not be installed here.\n`,
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
