import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../server/app-server.ts'

export type Pooler = {
  /** The address of this database through the pooler. */
  through(url: string): string
  /** Sends what comes from now on to this PostgreSQL, over the same connections of its clients. */
  redirect(url: string): Promise<void>
  /** It answers nothing, and keeps its connections, until it is resumed. */
  pause(): void
  resume(): void
  stop(): Promise<void>
}

/** Starts pgbouncer in transaction mode before the PostgreSQL at this address. It looks for a lost one every second. */
export async function startPooler(url: string, { connections }: { connections: number }) {
  const folder = await mkdtemp(join(tmpdir(), 'soma-pooler-'))
  // When the tests run as root, pgbouncer runs as another user.
  await chmod(folder, 0o755)
  const port = await freePort()
  const settings = join(folder, 'pgbouncer.ini')
  await writeSettings(url)
  const users = ['postgres', 'soma_app'].map((name) => `"${name}" "${new URL(url).password}"\n`)
  await writeFile(join(folder, 'users.txt'), users.join(''))
  const child = spawn('pgbouncer', [settings], { stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  await listening(child, port, () => errors)

  async function writeSettings(target: string) {
    const { hostname, port: targetPort } = new URL(target)
    const lines = [
      '[databases]',
      `* = host=${hostname} port=${targetPort}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = scram-sha-256',
      `auth_file = ${join(folder, 'users.txt')}`,
      'pool_mode = transaction',
      'server_login_retry = 1',
      'query_wait_timeout = 3',
      `default_pool_size = ${connections}`,
      ...(process.getuid?.() === 0 ? ['user = nobody'] : []),
    ]
    await writeFile(settings, `${lines.join('\n')}\n`)
  }

  return {
    through(other: string) {
      const address = new URL(other)
      address.port = String(port)
      return address.href
    },
    async redirect(target: string) {
      await writeSettings(target)
      child.kill('SIGHUP')
    },
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async stop() {
      const ended = new Promise((done) => child.once('exit', done))
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  } satisfies Pooler
}

async function listening(child: ChildProcess, port: number, errors: () => string) {
  for (let tries = 0; tries < 200 && child.exitCode === null; tries++) {
    const isOpen = await new Promise<boolean>((done) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy()
        done(true)
      })
      socket.once('error', () => done(false))
    })
    if (isOpen) return
    await pause(25)
  }
  child.kill('SIGKILL')
  throw new Error(`pgbouncer did not start:\n${errors()}`)
}
