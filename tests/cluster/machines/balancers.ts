import { writeFile } from 'node:fs/promises'
import { freePort } from '../../helpers/server/app-server.ts'
import type { PostgresNode } from './postgres.ts'
import { databaseUser, type Program, program } from './program.ts'

type Balancers = {
  haproxy: Program
  /** Of the primary, of the standbys, and of the product's servers. */
  ports: { primary: number; replica: number; web: number }
}

/** HAProxy before the database, by the role that Patroni tells, and before the servers, by `/readyz`. */
export async function startHaproxy(
  folder: string,
  nodes: PostgresNode[],
  servers: number[],
): Promise<Balancers> {
  const ports = { primary: await freePort(), replica: await freePort(), web: await freePort() }
  const database = (name: 'primary' | 'replica') => `
listen ${name}
  bind 127.0.0.1:${ports[name]}
  mode tcp
  timeout client 1h
  timeout server 1h
  option httpchk
  http-check send meth GET uri /${name}
  http-check expect status 200
  default-server inter 500ms fastinter 250ms fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map((node) => `  server ${node.name} 127.0.0.1:${node.port} check port ${node.apiPort}`).join('\n')}
`
  await writeFile(
    `${folder}/haproxy.cfg`,
    `
global
  maxconn 2000
defaults
  timeout connect 1s
  # A busy server answers late; one that is gone refuses the connection at once.
  timeout check 5s
  timeout client 60s
  timeout server 60s
  retries 3
  option redispatch 1
${database('primary')}${database('replica')}
listen web
  bind 127.0.0.1:${ports.web}
  mode http
  option forwardfor
  # Only a request that reached no server is sent to another one.
  retry-on conn-failure
  balance roundrobin
  option httpchk
  http-check send meth GET uri /readyz
  http-check expect status 200
  default-server inter 500ms fastinter 250ms fall 2 rise 1
${servers.map((port, n) => `  server server${n} 127.0.0.1:${port} check`).join('\n')}
`,
  )
  const haproxy = program('haproxy', ['/usr/sbin/haproxy', '-db', '-f', `${folder}/haproxy.cfg`], {
    folder,
  })
  haproxy.start()
  return { haproxy, ports }
}

/** pgbouncer in transaction mode before the primary, wherever it is. */
export async function startPgbouncer(
  folder: string,
  target: number,
  user: { name: string; password: string },
): Promise<{ pgbouncer: Program; port: number }> {
  const port = await freePort()
  const lines = [
    '[databases]',
    `soma = host=127.0.0.1 port=${target} dbname=soma`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = scram-sha-256',
    `auth_file = ${folder}/users.txt`,
    'pool_mode = transaction',
    'default_pool_size = 20',
    'max_client_conn = 200',
    // Without these a statement waits up to two minutes for a primary that is gone.
    'query_wait_timeout = 5',
    'server_login_retry = 1',
    'server_connect_timeout = 3',
  ]
  await writeFile(`${folder}/users.txt`, `"${user.name}" "${user.password}"\n`)
  await writeFile(`${folder}/pgbouncer.ini`, `${lines.join('\n')}\n`)
  const pgbouncer = program('pgbouncer', ['/usr/sbin/pgbouncer', `${folder}/pgbouncer.ini`], {
    folder,
    user: databaseUser(),
  })
  pgbouncer.start()
  return { pgbouncer, port }
}
