import { supportHeader } from '#contract/transport.ts'
import { Refusal } from '#domain/errors.ts'
import { lifetimeOf } from '#domain/personal/retention.ts'
import { readSupportCode } from '#domain/support-code.ts'
import { countAttempt } from '../limits/rate-limits.ts'
import { workQueue } from '../limits/work-queue.ts'
import type { Limit } from '../ports/limits.ts'
import type { Ports } from '../ports/ports.ts'
import { authenticate } from './authenticate.ts'
import { clientVersion } from './client-version.ts'

/** New codes from one address. */
const newCodes: Limit = { name: 'support-code', tries: 30, within: 15 * 60_000 }

/** Milliseconds between two writes of one code by this process. */
const writeInterval = 60_000

/** The last bucket of the metric of queue lengths. */
const longestQueue = 500

/** Codes whose last write this process remembers. */
const maxRemembered = 10_000

/** Milliseconds until a phone that no longer reports is forgotten (R92). */
export const deviceLifetime = lifetimeOf('device')

/** What one request says about its phone. */
type Contact = {
  code: string
  queueLength: number
  clientVersion?: number
  authorization: string | null
  address: string
  at: string
}

/** `ofUser`: what was written last came with a token. */
type Known = {
  writtenAt: number
  ofUser: boolean
  next?: Contact
  timer?: ReturnType<typeof setTimeout>
}

export type SupportContacts = {
  /** Records what a request reports about its phone. Returns at once and never fails. */
  heard(headers: Headers, address: string): void
  /** Drops unwritten reports and waits for running writes. */
  close(): Promise<unknown>
}

/**
 * Stores what phones report with their requests (R92), outside the calls' transactions: at most one write a
 * minute for each code, and one more after a login. At the end of the minute the newest report is written.
 */
export function supportContacts(ports: Ports, interval = writeInterval): SupportContacts {
  const { clock, log } = ports
  const known = new Map<string, Known>()
  const writing = new Set<Promise<void>>()
  const inTurn = workQueue(1, 100)

  function write(contact: Contact) {
    known.delete(contact.code)
    const ofUser = contact.authorization !== null
    known.set(contact.code, { writtenAt: performance.now(), ofUser })
    for (const oldest of known.keys()) {
      if (known.size <= maxRemembered) break
      clearTimeout(known.get(oldest)?.timer)
      known.delete(oldest)
    }
    const task = inTurn(() => store(ports, contact))
      .catch((error: unknown) => {
        // The calls log an unavailable database themselves.
        if (!(error instanceof Refusal))
          log.warn({ err: error }, 'What a phone reported for support was not stored')
      })
      .finally(() => writing.delete(task))
    writing.add(task)
  }

  function writeLater(state: Known, contact: Contact, wait: number) {
    // A later request without a token does not show that somebody else uses the phone.
    const authorization = contact.authorization ?? state.next?.authorization ?? null
    state.next = { ...contact, authorization }
    if (state.timer !== undefined) return
    state.timer = setTimeout(() => {
      if (state.next) write(state.next)
    }, wait)
    // In Node the timer must not keep the process alive. In a browser it is a number.
    if (typeof state.timer === 'object') state.timer.unref()
  }

  return {
    heard(headers, address) {
      const report = readReport(headers.get(supportHeader))
      if (!report) return
      const contact = {
        ...report,
        clientVersion: clientVersion(headers),
        authorization: headers.get('authorization'),
        address,
        at: new Date(clock()).toISOString(),
      }
      const state = known.get(report.code)
      const wait = state ? state.writtenAt + interval - performance.now() : 0
      const isLogin = contact.authorization !== null && !state?.ofUser
      if (state && wait > 0 && !isLogin) writeLater(state, contact, wait)
      else write(contact)
    },
    close() {
      for (const { timer } of known.values()) clearTimeout(timer)
      known.clear()
      return Promise.all(writing)
    },
  }
}

/** `X-Support: <code>.<number of unsent entries>`; nothing for anything else. */
function readReport(header: string | null): { code: string; queueLength: number } | undefined {
  const [, text = '', count = ''] = /^([\w-]{8,9})\.(\d{1,6})$/.exec(header ?? '') ?? []
  const code = readSupportCode(text)
  return code === undefined ? undefined : { code, queueLength: Number(count) }
}

async function store(ports: Ports, contact: Contact): Promise<void> {
  const { repo, secrets, metrics } = ports
  const { authorization, address, ...rest } = contact
  const { actor } = await authenticate(ports, authorization)
  const userId = actor && 'user' in actor ? actor.user.ID : undefined
  const device = { ...rest, userId }
  await repo.transaction(async (stores) => {
    if (await stores.devices.touch(device)) return
    await countAttempt(stores, secrets, newCodes, address, contact.at)
    await stores.devices.add(device)
  })
  // The number is not verified, so writes are limited for each code and address (R92).
  metrics?.queueReported(Math.min(device.queueLength, longestQueue))
}
