import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'

export const admin = { email: 'admin@soma.test', password: 'correct horse battery' }

export type AppServer = {
  port: number
  origin: string
  dataDir: string
  /** Its database, for a client of the test's own. */
  database: () => pg.ClientConfig
  /** The process ID of the running Node process. */
  pid: () => number | undefined
  /** Everything it has printed, line by line. */
  lines: string[]
  /** The newest six-digit code sent to this phone that was not returned before; waits up to a minute. */
  smsCode: (phone: string) => Promise<string>
  /** Kills the Node process only, as a crash does; its database keeps running. */
  kill: () => Promise<void>
  /** Starts it again on the same port and data. */
  restart: () => Promise<void>
  /** Sends SIGTERM, waits, removes the data, and returns the exit code. */
  stop: () => Promise<number>
}

/** All phones of an end-to-end test call from one address; a test about limits sets its own. */
const looseLimits = JSON.stringify({
  signups: 100_000,
  guestRequests: 100_000,
  resetRequests: 100_000,
  uploads: 100_000,
  changes: 100_000,
  creates: 100_000,
  giveBacks: 100_000,
  priceGuides: 100_000,
})

const secretKey = '5e'.repeat(32)

type Options = {
  port?: number
  /** The address browsers use, when it is not the server's own port. */
  publicOrigin?: string
  env?: NodeJS.ProcessEnv
  /** The folder that holds dist/server/main.js. */
  root?: string
  /** A PostgreSQL in place of the embedded one. */
  databaseUrl?: string
}

/** Starts the built server (`npm start` without the build) on a free port and an empty data folder. */
export async function startAppServer(options: Options = {}): Promise<AppServer> {
  const port = options.port ?? (await freePort())
  const dataDir = mkdtempSync(join(tmpdir(), 'soma-data-'))
  // When this runs as root, PostgreSQL runs as another user and must reach its folder.
  chmodSync(dataDir, 0o755)
  const lines: string[] = []
  const read = new Set<string>()
  const start = () => launch({ ...options, port, dataDir, lines })
  let child = await start()
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    dataDir,
    database: () =>
      options.databaseUrl ? { connectionString: options.databaseUrl } : embeddedDatabase(dataDir),
    pid: () => child.pid,
    lines,
    smsCode: (phone) => codeFor(phone, lines, read),
    async kill() {
      await end(child, 'SIGKILL')
    },
    async restart() {
      await end(child, 'SIGTERM')
      child = await start()
    },
    async stop() {
      try {
        return await end(child, 'SIGTERM')
      } finally {
        endDatabase(dataDir)
        rmSync(dataDir, { recursive: true, force: true })
      }
    },
  }
}

type Launch = Options & { port: number; dataDir: string; lines: string[] }

async function launch(options: Launch) {
  const { port, dataDir, lines, env, publicOrigin, root, databaseUrl } = options
  const folder = root ?? join(import.meta.dirname, '../../..')
  const child = spawn(process.execPath, [join(folder, 'dist/server/main.js')], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      DATA_DIR: dataDir,
      PUBLIC_ORIGIN: publicOrigin ?? `http://127.0.0.1:${port}`,
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      LIMITS: looseLimits,
      ...(databaseUrl && { DATABASE_URL: databaseUrl, SECRET_KEY: secretKey }),
      ...env,
    },
  })
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => line !== '' && lines.push(line))
  await ready(child, port, lines)
  return child
}

async function ready(child: ChildProcess, port: number, lines: string[]) {
  const deadline = Date.now() + 90_000
  while (Date.now() < deadline) {
    if (child.exitCode !== null) break
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    await pause(50)
  }
  child.kill('SIGKILL')
  throw new Error(`The server did not start:\n${lines.slice(-20).join('\n')}`)
}

async function codeFor(phone: string, lines: string[], read: Set<string>): Promise<string> {
  // SMS gateways use 233…, people 0…: the last nine digits are the same.
  const isFor = (line: string) => line.includes(phone.slice(-9)) && sixDigits.test(line)
  for (let wait = 0; wait < 1_200; wait++) {
    const line = lines.findLast((each) => isFor(each) && !read.has(each))
    const code = line && sixDigits.exec(line)?.[0]
    if (code) {
      read.add(line)
      return code
    }
    await pause(50)
  }
  throw new Error(`No code for ${phone} in:\n${lines.slice(-10).join('\n')}`)
}

const sixDigits = /(?<!\d)\d{6}(?!\d)/

const patience = 20_000

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number> {
  if (child.exitCode !== null) return child.exitCode
  if (child.signalCode !== null) return 128
  const ended = new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? 128)))
  child.kill(signal)
  const insist = setTimeout(() => child.kill('SIGKILL'), patience)
  const code = await ended
  clearTimeout(insist)
  if (child.signalCode === 'SIGKILL' && signal !== 'SIGKILL')
    throw new Error(`The server did not stop within ${patience / 1000} s of ${signal}`)
  return code
}

/** The database of the server that runs on this data folder. */
function embeddedDatabase(dataDir: string): pg.ClientConfig {
  const stored: { folder: string; password: string } = JSON.parse(
    readFileSync(join(dataDir, 'postgres.json'), 'utf8'),
  )
  const running = readFileSync(resolve(dataDir, stored.folder, 'postmaster.pid'), 'utf8')
  return {
    host: '127.0.0.1',
    port: Number(running.split('\n')[3]),
    database: 'postgres',
    user: 'postgres',
    password: stored.password,
  }
}

/** Stops the database, which a killed server leaves running. */
function endDatabase(dataDir: string) {
  try {
    const { folder } = JSON.parse(readFileSync(join(dataDir, 'postgres.json'), 'utf8'))
    const [pid] = readFileSync(resolve(dataDir, folder, 'postmaster.pid'), 'utf8').split('\n')
    process.kill(Number(pid), 'SIGQUIT')
  } catch {
    // The database was stopped with its server, or never started.
  }
}

/**
 * A free TCP port. It is below the kernel's ephemeral range (32768 to 60999), so that no outgoing
 * connection takes it before it is used; each process starts its search at another port.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 1_000; tries++) {
    // Taken before the await, so that concurrent calls return different ports.
    const port = nextPort
    nextPort = port >= lastPort ? firstPort : port + 1
    if (await canListen(port)) return port
  }
  throw new Error('No port is free')
}

const firstPort = 10_000
const lastPort = 32_000
let nextPort = firstPort + ((process.pid * 97) % (lastPort - firstPort))

const canListen = (port: number) =>
  new Promise<boolean>((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
