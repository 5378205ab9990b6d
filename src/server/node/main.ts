import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { product } from '#domain/product.ts'
import { startEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.ts'
import { createServer } from '../http/app.ts'
import { limitsWith } from '../limits/rate-limits.ts'
import { captureConsole, describeError, errorHeadline, safeLog } from '../log/safe-log.ts'
import { imageFolder, restrictImageFolder } from '../photos/image-folder.ts'
import { photoUploads, removeStaleUploads } from '../photos/uploads.ts'
import type { Log, Ports } from '../ports/ports.ts'
import { openPostgres } from '../postgres/repo.ts'
import { prepareDatabase } from '../postgres/role.ts'
import { runAdminCommand } from './admin.ts'
import { startExpiry } from './expire-old-rows.ts'
import { listen } from './listen/listen.ts'
import { demoFiles, noDemo, staticFiles } from './listen/static-files.ts'
import { prometheusMetrics } from './metrics.ts'
import { argonPasswords } from './passwords.ts'
import { projectRoot } from './project-root.ts'
import { smsProvider } from './sms.ts'
import { type Config, readConfig } from './startup/config.ts'
import { openDataDir } from './startup/data-dir.ts'
import { openSecrets } from './startup/secret-key.ts'
import { loadSecretKey } from './startup/secret-key-file.ts'
import { seed } from './startup/seed.ts'
import { StartupError } from './startup/startup-error.ts'

/** What is said to the operator: an address, a password once, one line when it cannot go on. */
const print = (line: string) => process.stdout.write(`${line}\n`)

const app = join(projectRoot, 'dist/app')
const demo = join(projectRoot, 'dist/demo')

/** Starts everything. ResponseOf the function that stops it, last started first. */
async function start(config: Config): Promise<() => Promise<void>> {
  const stopFunctions: (() => unknown)[] = []
  const stopAll = async () => {
    for (const stop of stopFunctions.splice(0).reverse()) await stop()
  }
  try {
    const lines = pino({
      level: config.logLevel,
      base: undefined,
      serializers: { err: describeError },
    })
    const log = safeLog(lines)
    logUncaughtErrors(log)
    await openDataDir(config.dataDir)
    const ownerUrl = config.databaseUrl ?? (await embedded(config, stopFunctions))
    const password = config.databaseUrl ? undefined : randomBytes(24).toString('base64url')
    const database = await prepareDatabase(ownerUrl, { password })
    if (database.problem) log.warn({}, database.problem)
    const repo = openPostgres(database.url)
    stopFunctions.push(() => repo.close())
    const { imageUploadUrl, imageUploadPreset, idUploadPreset, imageHost } = config
    const { idempotencyDays, smsDaily, metricsToken } = config
    const ports: Ports = {
      repo,
      secrets: await openSecrets(repo, config.secretKey ?? (await loadSecretKey(config.dataDir))),
      passwords: argonPasswords(availableParallelism()),
      sms: smsProvider(config.sms, lines),
      ...(config.keepsImages ? await photoPorts(config.dataDir) : {}),
      clock: Date.now,
      log,
      metrics: prometheusMetrics(),
      pages: pages(config),
      options: {
        imageUploadUrl,
        imageUploadPreset,
        idUploadPreset,
        imageHost,
        idempotencyDays,
        limits: limitsWith(config.limits),
        smsDaily,
        metricsToken,
      },
    }
    const admin = await seed(ports, config.admin)
    if (sendsNoSms(config))
      log.warn(
        { publicOrigin: config.publicOrigin },
        'SMS ARE NOT SENT: they are only printed in this log, codes included. Set SMS_PROVIDER.',
      )
    const server = createServer(ports)
    stopFunctions.push(startExpiry(ports))
    stopFunctions.push(await listen(server, config))
    print(`${product} is at ${config.publicOrigin}`)
    if (admin)
      print(`The first admin: ${admin.email}, password ${admin.password} (shown this once)`)
    return stopAll
  } catch (error) {
    await stopAll()
    throw error
  }
}

/** A service others can reach, whose SMS nobody gets. */
const sendsNoSms = ({ sms, publicOrigin }: Config) =>
  sms.provider === 'console' && !isLoopback(new URL(publicOrigin).hostname)

const isLoopback = (host: string) => /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(host)

/** Nobody restarts the server: one call that failed in an unforeseen way must not end the others. */
function logUncaughtErrors(log: Log) {
  captureConsole(log)
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'Unhandled rejection'))
  process.on('uncaughtException', (error) => {
    log.error({ err: error }, 'Uncaught exception: the server ends')
    process.exit(1)
  })
}

/** Photos in a folder that nobody else can read. */
async function photoPorts(dataDir: string): Promise<Pick<Ports, 'images' | 'uploads'>> {
  const folder = join(dataDir, 'images')
  const arriving = join(folder, 'arriving')
  await restrictImageFolder(folder)
  await removeStaleUploads(arriving)
  return { images: imageFolder(folder), uploads: photoUploads(arriving) }
}

/** What was built of the app and of the demo beside it. */
function pages({ imageHost, imageUploadUrl, servesDemo }: Config): Ports['pages'] {
  const sources = { images: [imageHost], uploads: [new URL(imageUploadUrl).origin] }
  const ofDemo = !servesDemo ? noDemo : existsSync(demo) ? demoFiles(demo) : undefined
  const ofApp = existsSync(app) ? staticFiles(app, sources) : undefined
  return async (request) => (await ofDemo?.(request)) ?? ofApp?.(request)
}

async function embedded(config: Config, stops: (() => unknown)[]): Promise<string> {
  const database = await startEmbeddedPostgres(config.dataDir, print)
  stops.push(() => database.stop())
  return database.url
}

/** Runs until it is told to stop, and says in one line why it cannot. */
async function run() {
  let stop: (() => Promise<void>) | undefined
  let isStopRequested = false
  const end = async () => {
    if (!stop || ending) return
    ending = true
    await stop()
    process.exit(0)
  }
  let ending = false
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => {
      isStopRequested = true
      void end()
    })
  try {
    stop = await start(readConfig(process.env))
    // It was told while it was starting.
    if (isStopRequested) await end()
  } catch (error) {
    const line =
      error instanceof StartupError ? error.message : `Could not start: ${errorHeadline(error)}`
    process.stderr.write(`${line}\n`)
    process.exit(1)
  }
}

/** `npm run admin`: one command, and the end. */
async function runAdmin(args: string[]) {
  try {
    for (const line of await runAdminCommand(args, readConfig(process.env))) print(line)
  } catch (error) {
    const line =
      error instanceof StartupError ? error.message : `Could not do that: ${errorHeadline(error)}`
    process.stderr.write(`${line}\n`)
    process.exitCode = 1
  }
}

const [first, ...args] = process.argv.slice(2)
void (first === 'admin' ? runAdmin(args) : run())
