import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { product } from '#domain/product.ts'
import { startEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.ts'
import { createServer } from '../http/app.ts'
import { limitsWith } from '../limits/rate-limits.ts'
import { captureConsole, describeError, headline, safeLog } from '../log/safe-log.ts'
import { closeImageFolder, imageFolder } from '../photos/image-folder.ts'
import { photoUploads, removeStaleUploads } from '../photos/uploads.ts'
import type { Gateways, Log } from '../ports/ports.ts'
import { openPostgres } from '../postgres/repo.ts'
import { prepareDatabase } from '../postgres/role.ts'
import { runAdminCommand } from './admin.ts'
import { keepSweeping } from './expire-old-rows.ts'
import { listen } from './listen/listen.ts'
import { demoFiles, noDemo, staticFiles } from './listen/static-files.ts'
import { prometheusMetrics } from './metrics.ts'
import { argonPasswords } from './passwords.ts'
import { projectRoot } from './project-root.ts'
import { smsGateway } from './sms.ts'
import { type Config, readConfig } from './startup/config.ts'
import { openDataDir } from './startup/data-dir.ts'
import { openSecrets } from './startup/secret-key.ts'
import { secretKeyIn } from './startup/secret-key-file.ts'
import { seed } from './startup/seed.ts'
import { Fatal } from './startup/startup-error.ts'

/** What is said to the operator: an address, a password once, one line when it cannot go on. */
const say = (line: string) => process.stdout.write(`${line}\n`)

const app = join(projectRoot, 'dist/app')
const demo = join(projectRoot, 'dist/demo')

/** Starts everything. Gives the function that stops it, last started first. */
async function start(config: Config): Promise<() => Promise<void>> {
  const stops: (() => unknown)[] = []
  const stopAll = async () => {
    for (const stop of stops.splice(0).reverse()) await stop()
  }
  try {
    const lines = pino({
      level: config.logLevel,
      base: undefined,
      serializers: { err: describeError },
    })
    const log = safeLog(lines)
    watchForBugs(log)
    await openDataDir(config.dataDir)
    const ownerUrl = config.databaseUrl ?? (await embedded(config, stops))
    const password = config.databaseUrl ? undefined : randomBytes(24).toString('base64url')
    const database = await prepareDatabase(ownerUrl, { password })
    if (database.problem) log.warn({}, database.problem)
    const repo = openPostgres(database.url)
    stops.push(() => repo.close())
    const { imageUploadUrl, imageUploadPreset, idUploadPreset, imageHost } = config
    const { idempotencyDays, smsDaily, metricsToken } = config
    const gateways: Gateways = {
      repo,
      secrets: await openSecrets(repo, config.secretKey ?? (await secretKeyIn(config.dataDir))),
      passwords: argonPasswords(availableParallelism()),
      sms: smsGateway(config.sms, lines),
      ...(config.keepsImages ? await photoGateways(config.dataDir) : {}),
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
    const admin = await seed(gateways, config.admin)
    if (tellsCodesToNobody(config))
      log.warn(
        { publicOrigin: config.publicOrigin },
        'SMS ARE NOT SENT: they are only printed in this log, codes included. Set SMS_PROVIDER.',
      )
    const server = createServer(gateways)
    stops.push(keepSweeping(gateways))
    stops.push(await listen(server, config))
    say(`${product} is at ${config.publicOrigin}`)
    if (admin) say(`The first admin: ${admin.email}, password ${admin.password} (shown this once)`)
    return stopAll
  } catch (error) {
    await stopAll()
    throw error
  }
}

/** A service others can reach, whose SMS nobody gets. */
const tellsCodesToNobody = ({ sms, publicOrigin }: Config) =>
  sms.provider === 'console' && !isLoopback(new URL(publicOrigin).hostname)

const isLoopback = (host: string) => /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(host)

/** Nobody restarts the server: one call that failed in an unforeseen way must not end the others. */
function watchForBugs(log: Log) {
  captureConsole(log)
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'Unhandled rejection'))
  process.on('uncaughtException', (error) => {
    log.error({ err: error }, 'Uncaught exception: the server ends')
    process.exit(1)
  })
}

/** Photos in a folder that nobody else can read. */
async function photoGateways(dataDir: string): Promise<Pick<Gateways, 'images' | 'uploads'>> {
  const folder = join(dataDir, 'images')
  const arriving = join(folder, 'arriving')
  await closeImageFolder(folder)
  await removeStaleUploads(arriving)
  return { images: imageFolder(folder), uploads: photoUploads(arriving) }
}

/** What was built of the app and of the demo beside it. */
function pages({ imageHost, imageUploadUrl, servesDemo }: Config): Gateways['pages'] {
  const sources = { images: [imageHost], uploads: [new URL(imageUploadUrl).origin] }
  const ofDemo = !servesDemo ? noDemo : existsSync(demo) ? demoFiles(demo) : undefined
  const ofApp = existsSync(app) ? staticFiles(app, sources) : undefined
  return async (request) => (await ofDemo?.(request)) ?? ofApp?.(request)
}

async function embedded(config: Config, stops: (() => unknown)[]): Promise<string> {
  const database = await startEmbeddedPostgres(config.dataDir, say)
  stops.push(() => database.stop())
  return database.url
}

/** Runs until it is told to stop, and says in one line why it cannot. */
async function run() {
  let stop: (() => Promise<void>) | undefined
  let told = false
  const end = async () => {
    if (!stop || ending) return
    ending = true
    await stop()
    process.exit(0)
  }
  let ending = false
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => {
      told = true
      void end()
    })
  try {
    stop = await start(readConfig(process.env))
    // It was told while it was starting.
    if (told) await end()
  } catch (error) {
    const line = error instanceof Fatal ? error.message : `Could not start: ${headline(error)}`
    process.stderr.write(`${line}\n`)
    process.exit(1)
  }
}

/** `npm run admin`: one command, and the end. */
async function runAdmin(args: string[]) {
  try {
    for (const line of await runAdminCommand(args, readConfig(process.env))) say(line)
  } catch (error) {
    const line = error instanceof Fatal ? error.message : `Could not do that: ${headline(error)}`
    process.stderr.write(`${line}\n`)
    process.exitCode = 1
  }
}

const [first, ...args] = process.argv.slice(2)
void (first === 'admin' ? runAdmin(args) : run())
