import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { product } from '#domain/product.ts'
import { createServer } from '../app.ts'
import { startEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.ts'
import { captureConsole, describeError, errorHeadline, safeLog } from '../log/safe-log.ts'
import { startNotifications } from '../notifications/start.ts'
import { limitsWith, usualDifficulty } from '../ports/limits.ts'
import type { Log, Ports } from '../ports/ports.ts'
import { openPostgres, type PostgresRepo } from '../postgres/open-postgres.ts'
import { preparePooledDatabase } from '../postgres/role/pooled-role.ts'
import { type PreparedDatabase, prepareDatabase, withRoleOf } from '../postgres/role/role.ts'
import { buildLevel } from '../postgres/upgrade/migration-level.ts'
import { projectRoot } from '../project-root.ts'
import { startReadinessWatch } from '../routes/readiness-watch.ts'
import { startDueSuspensions } from '../rules/accounts/suspensions.ts'
import { startDueDeliveries } from '../rules/deliveries/due-deliveries.ts'
import { startReconciliation } from '../rules/payments/reconcile.ts'
import { startPayments } from '../rules/payments/sweep.ts'
import { StartupError } from '../startup-error.ts'
import { listen } from './listen/listen.ts'
import { demoFiles, noDemo, staticFiles } from './listen/static-files.ts'
import { countedPush, countedSms } from './messages/counted-messages.ts'
import { webPushSender } from './messages/push.ts'
import { smsProvider } from './messages/sms.ts'
import { prometheusMetrics } from './metrics.ts'
import { startBackups } from './operator/backup-commands.ts'
import type { OperatorCommand } from './operator/command.ts'
import { operatorCommands } from './operator/commands.ts'
import { argonPasswords } from './passwords.ts'
import { paystack } from './payments/paystack.ts'
import { photoPorts } from './photo-ports.ts'
import { type Config, readConfig } from './startup/config.ts'
import { openDataDir } from './startup/data-dir.ts'
import { ignoresPassword, seed } from './startup/first-rows.ts'
import { hasSecretKey, openSecrets } from './startup/secret-key.ts'
import { loadSecretKey } from './startup/secret-key-file.ts'
import { type NodeTracing, openTracing } from './tracing/open-tracing.ts'
import { tracedPorts } from './tracing/traced-ports.ts'
import { statementTrace } from './tracing/traced-statements.ts'
import { startExpiry } from './upkeep/expire-old-rows.ts'
import { startRollups } from './upkeep/keep-rollups.ts'

/** Prints for the operator: the address, and a generated password until it was used. */
const print = (text: string) => process.stdout.write(`${text}\n`)

const app = join(projectRoot, 'dist/app')
const demo = join(projectRoot, 'dist/demo')

type Stop = () => unknown

type Opening = { log: Log; stopFunctions: Stop[]; tracing: NodeTracing | undefined }

/** Starts everything. Returns the function that stops it, last started first. */
async function start(config: Config): Promise<() => Promise<void>> {
  const stopFunctions: Stop[] = []
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
    const tracing = config.tracing && (await openTracing(config.tracing, log))
    if (tracing) stopFunctions.push(() => tracing.close())
    await openDataDir(config.dataDir)
    const opened = await openPorts(config, {
      log,
      sms: smsProvider(config.sms, lines),
      stopFunctions,
      tracing,
    })
    const ports = tracing ? tracedPorts(opened, tracing) : opened
    const admin = await seed(ports, config.admin)
    if (await ignoresPassword(ports, config.admin))
      log.warn(
        {},
        'ADMIN_PASSWORD changes nothing: the admin is there already. "npm run admin -- help" names what resets a password.',
      )
    if (sendsNoSms(config))
      log.warn(
        { publicOrigin: config.publicOrigin },
        'SMS ARE NOT SENT: they are only printed in this log, codes included. Set SMS_PROVIDER.',
      )
    const server = createServer(ports)
    stopFunctions.push(startExpiry(ports))
    stopFunctions.push(startRollups(ports))
    stopFunctions.push(startDueDeliveries(ports))
    stopFunctions.push(startDueSuspensions(ports))
    stopFunctions.push(startPayments(ports))
    stopFunctions.push(startReconciliation(ports))
    stopFunctions.push(await listen(server, config))
    stopFunctions.push(startNotifications(ports))
    stopFunctions.push(startReadinessWatch(ports, server.checkReadiness))
    stopFunctions.push(await startBackups(config, ports))
    // The first step when the server stops: a load balancer must send new requests elsewhere before they are
    // refused.
    stopFunctions.push(async () => {
      server.drain()
      await pause(config.drain)
    })
    // In one write: who reads the address has the password, too.
    print([`${product} is at ${config.publicOrigin}`, ...firstLogin(admin)].join('\n'))
    return stopAll
  } catch (error) {
    await stopAll()
    throw error
  }
}

const firstLogin = (admin: Awaited<ReturnType<typeof seed>>) =>
  admin
    ? [`The first admin: ${admin.email}, password ${admin.password} (shown until the first login)`]
    : []

/** Opens the database and makes the ports over it. Adds what closes them to `stopFunctions`. */
async function openPorts(
  config: Config,
  { log, sms, ...about }: Opening & { sms: Ports['sms'] },
): Promise<Ports & { repo: PostgresRepo }> {
  const { repo, folder } = await openRepo(config, { log, ...about })
  const secretKey =
    config.secretKey ?? (await loadSecretKey(config.dataDir, () => hasSecretKey(repo)))
  const secrets = await openSecrets(repo, secretKey)
  const metrics = prometheusMetrics({ pool: repo.pool, smsDaily: config.smsDaily })
  const push = await webPushSender(repo, secrets, pushSettings(config), log)
  return {
    repo,
    secrets,
    push: countedPush(push, metrics),
    passwords: argonPasswords(availableParallelism()),
    sms: countedSms(sms, metrics),
    provider: config.paystack && paystack(config.paystack),
    ...(config.keepsImages ? await photoPorts(config, log) : {}),
    clock: Date.now,
    log,
    metrics,
    databaseFreeBytes: folder === undefined ? undefined : () => freeBytes(folder),
    pages: pages(config),
    options: {
      publicOrigin: config.publicOrigin,
      imageUploadUrl: config.imageUploadUrl,
      imageUploadPreset: config.imageUploadPreset,
      idUploadPreset: config.idUploadPreset,
      imageHost: config.imageHost,
      idempotencyDays: config.idempotencyDays,
      limits: limitsWith(config.limits),
      minOffer: config.minOffer,
      payments: config.payments,
      help: config.help,
      challenge: config.asksForProof ? usualDifficulty : undefined,
      smsDaily: config.smsDaily,
      metricsToken: config.metricsToken,
      minClientVersion: config.minClientVersion,
      migration: buildLevel(),
      endings: config.endings,
    },
  }
}

/** On the disk of this folder. */
async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Push services require a contact of the operator: the site if it has an address, else the admin's e-mail. */
const pushSettings = ({ publicOrigin, admin, pushServices }: Config) => ({
  subject: publicOrigin.startsWith('https://') ? publicOrigin : `mailto:${admin.email}`,
  services: pushServices,
})

/** The database of `DATABASE_URL`, or the embedded one and its folder, with its tables up to date. */
async function openRepo(
  config: Config,
  { log, stopFunctions, tracing }: Opening,
): Promise<{ repo: PostgresRepo; folder?: string }> {
  const { databaseUrlDirect: direct, databaseUrlReplica } = config
  const { folder, ...database } = await prepared(config, { log, stopFunctions })
  if (database.problem) log.warn({}, database.problem)
  const replica = databaseUrlReplica && withRoleOf(database.url, databaseUrlReplica)
  const trace = tracing && statementTrace(tracing)
  const repo = openPostgres(database.url, log, { direct, replica, trace })
  stopFunctions.push(() => repo.close())
  return { repo, folder }
}

async function prepared(
  config: Config,
  about: Pick<Opening, 'log' | 'stopFunctions'>,
): Promise<PreparedDatabase & { folder?: string }> {
  const { databaseUrl, databaseUrlDirect } = config
  if (databaseUrl && databaseUrlDirect) return preparePooledDatabase(databaseUrlDirect, databaseUrl)
  if (databaseUrl) return prepareDatabase(databaseUrl)
  const { url, folder } = await startEmbedded(config, about)
  const password = randomBytes(24).toString('base64url')
  return { ...(await prepareDatabase(url, { password })), folder }
}

async function startEmbedded(
  config: Config,
  { log, stopFunctions }: Pick<Opening, 'log' | 'stopFunctions'>,
): Promise<{ url: string; folder?: string }> {
  const database = await startEmbeddedPostgres(config.dataDir, { print, log })
  stopFunctions.push(() => database.stop())
  return database
}

/** Whether the service is public but its SMS are only logged. */
const sendsNoSms = ({ sms, publicOrigin }: Config) =>
  sms.provider === 'console' && !isLoopback(new URL(publicOrigin).hostname)

const isLoopback = (host: string) => /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(host)

/** Logs uncaught errors. An unhandled rejection does not end the process, which serves other calls. */
function logUncaughtErrors(log: Log) {
  captureConsole(log)
  process.on('unhandledRejection', (error) =>
    log.error({ err: error }, 'Unhandled rejection: the server goes on'),
  )
  process.on('uncaughtException', (error) => {
    log.error({ err: error }, 'Uncaught exception: the server ends')
    process.exit(1)
  })
}

/** The built app, and the demo beside it. */
function pages({ imageHost, imageUploadUrl, servesDemo }: Config): Ports['pages'] {
  const sources = { images: [imageHost], uploads: [new URL(imageUploadUrl).origin] }
  const ofDemo = !servesDemo ? noDemo : existsSync(demo) ? demoFiles(demo) : undefined
  const ofApp = existsSync(app) ? staticFiles(app, sources) : undefined
  return async (request) => (await ofDemo?.(request)) ?? ofApp?.(request)
}

/** Runs until a signal stops it. When it cannot start it prints one line and exits with 1. */
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
    // The signal came while it was starting.
    if (isStopRequested) await end()
  } catch (error) {
    const line =
      error instanceof StartupError ? error.message : `Could not start: ${errorHeadline(error)}`
    process.stderr.write(`${line}\n`)
    process.exit(1)
  }
}

/** `npm run admin`, `backup` or `restore`: runs one command and ends. */
async function runCommand(command: OperatorCommand, args: string[]) {
  const ending = new AbortController()
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(name, () => ending.abort())
  try {
    const isWell = await command(args, readConfig(process.env), { print, signal: ending.signal })
    if (!isWell) process.exitCode = 1
  } catch (error) {
    const line =
      error instanceof StartupError ? error.message : `Could not do that: ${errorHeadline(error)}`
    process.stderr.write(`${line}\n`)
    process.exitCode = 1
  }
}

const [first = '', ...args] = process.argv.slice(2)
const command = operatorCommands[first]
void (command ? runCommand(command, args) : run())
