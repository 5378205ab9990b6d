import { beforeEach, expect, test, vi } from 'vitest'
import type { OutboxEntry } from '#sync/database/entry.ts'
import { inDexie } from '../../../../sync/model/databases/dexie.ts'
import { runScenario } from '../../../../sync/model/scenario/run-scenario.ts'
import { cases } from './mutations.ts'

/*
 * Shows that the model can fail: each protection is switched off in turn by a mock, and the oracle of
 * one promise must report it. The same scenario with the protection in place has no fault.
 */

const { off } = await vi.hoisted(() => import('./switches.ts'))

vi.mock('#sync/outbox/write-batch.ts', async (original) => {
  const real = await original<typeof import('#sync/outbox/write-batch.ts')>()
  class WriteBatch extends real.WriteBatch {
    override put(entry: OutboxEntry, isShown?: boolean) {
      const failed = entry.state === 'refused' || entry.state === 'retrying'
      super.put(entry, off.rollBack && failed ? false : isShown)
    }
  }
  return { ...real, WriteBatch }
})
vi.mock('#sync/outbox/credentials.ts', async (original) => {
  const real = await original<typeof import('#sync/outbox/credentials.ts')>()
  const credentialsFor: typeof real.credentialsFor = async (...asked) => {
    const credentials = await real.credentialsFor(...asked)
    const [, model, entries, session] = asked
    if (off.alias)
      return credentials.map((each, at) => {
        const entry = entries[at]
        return { ...each, id: (entry && model.subjectOf(entry)) ?? each.id }
      })
    return off.credentials
      ? credentials.map((each) => ({ ...each, token: session?.token }))
      : credentials
  }
  return { ...real, credentialsFor }
})
vi.mock('#sync/outbox/backoff.ts', async (original) => {
  const real = await original<typeof import('#sync/outbox/backoff.ts')>()
  const retryNow: typeof real.retryNow = (db) =>
    off.retryAfter
      ? db.outbox.where('state').equals('retrying').modify({ nextAt: 0 })
      : real.retryNow(db)
  return { ...real, retryNow }
})
vi.mock('#sync/outbox/waits.ts', async (original) => {
  const real = await original<typeof import('#sync/outbox/waits.ts')>()
  const createWaits: typeof real.createWaits = (...given) => {
    const waits = real.createWaits(...given)
    const left: typeof waits.left = (stored) => {
      const time = waits.left(stored)
      return off.parkedForADay && time > aDay / 2 ? 0 : time
    }
    return { ...waits, left }
  }
  return { createWaits }
})
vi.mock('#store/deliveries/save/lost.ts', async (original) => {
  const real = await original<typeof import('#store/deliveries/save/lost.ts')>()
  const acknowledgedKeys: typeof real.acknowledgedKeys = async (...asked) =>
    off.lost ? [] : real.acknowledgedKeys(...asked)
  return { ...real, acknowledgedKeys }
})
vi.mock('#store/model/affected-lists.ts', async (original) => {
  const real = await original<typeof import('#store/model/affected-lists.ts')>()
  const affectedLists: typeof real.affectedLists = async (...asked) =>
    off.affectedLists && asked[2].about === 'delivery' ? [] : real.affectedLists(...asked)
  return { ...real, affectedLists }
})
vi.mock('#store/model/pushed-offers.ts', async (original) => {
  const real = await original<typeof import('#store/model/pushed-offers.ts')>()
  const savePushedOffers: typeof real.savePushedOffers = async (...asked) =>
    off.pushedOffers ? [] : real.savePushedOffers(...asked)
  return { ...real, savePushedOffers }
})
vi.mock('#sync/events/event-stream.ts', async (original) => {
  const real = await original<typeof import('#sync/events/event-stream.ts')>()
  const deaf = new AbortController().signal
  const readEventStream: typeof real.readEventStream = (context, token, signal, onEvents) => {
    const { clock } = context
    const patient = { ...context, clock: { ...clock, setTimeout: () => undefined } }
    return real.readEventStream(
      off.watchdog ? patient : context,
      token,
      off.closeOnLogout ? deaf : signal,
      onEvents,
    )
  }
  return { ...real, readEventStream }
})
vi.mock('#sync/events/leader.ts', async (original) => {
  const real = await original<typeof import('#sync/events/leader.ts')>()
  const hearEvents: typeof real.hearEvents = (about, model) => {
    let tried = false
    const { locks } = about.context
    const once: typeof locks.run = async (...asked) => {
      if (off.handOver && tried) return false
      tried = true
      return locks.run(...asked)
    }
    return real.hearEvents(
      {
        ...about,
        context: { ...about.context, locks: { ...locks, run: once } },
      },
      model,
    )
  }
  return { ...real, hearEvents }
})
vi.mock('#store/model/requests.ts', async (original) => {
  const real = await original<typeof import('#store/model/requests.ts')>()
  const { Refused, Unreachable } = await import('#contract/wire-errors.ts')
  const { Refusal } = await import('#domain/errors.ts')
  const mistaken = (error: unknown) => {
    if (off.noResponse && error instanceof Unreachable) return new Refusal('unavailable')
    const dead = off.pause && error instanceof Refused && error.status === 401
    return dead ? new Unreachable('No answer') : error
  }
  const wrapped = Object.entries(real.sendModel.requests).map(([op, send]) => [
    op,
    (...asked: Parameters<typeof send>) =>
      send(...asked).catch((error: unknown) => {
        throw mistaken(error)
      }),
  ])
  return { sendModel: { ...real.sendModel, requests: Object.fromEntries(wrapped) } }
})
vi.mock('#store/account/expire.ts', async (original) => {
  const real = await original<typeof import('#store/account/expire.ts')>()
  const expireSession: typeof real.expireSession = async (...asked) => {
    if (!off.markExpired) await real.expireSession(...asked)
  }
  return { ...real, expireSession }
})
vi.mock('#sync/database/device/expired-session.ts', async (original) => {
  const real = await original<typeof import('#sync/database/device/expired-session.ts')>()
  const markExpired: typeof real.markExpired = async (...asked) => {
    if (!off.markExpired) await real.markExpired(...asked)
  }
  return { ...real, markExpired }
})
vi.mock('#sync/outbox/collect-garbage.ts', async (original) => {
  const real = await original<typeof import('#sync/outbox/collect-garbage.ts')>()
  const collectGarbage: typeof real.collectGarbage = async (db, model, clock) => {
    const photos = db.table('photos')
    if (off.photos) await photos.bulkDelete(await photos.toCollection().primaryKeys())
    await real.collectGarbage(db, model, clock)
  }
  return { ...real, collectGarbage }
})

const aDay = 24 * 3_600_000

beforeEach(() => {
  for (const name of Object.keys(off)) off[name as keyof typeof off] = false
  vi.restoreAllMocks()
})

test.each(cases)('$caughtBy: the model reports a missing protection: $protection', async (each) => {
  const { protection: _, caughtBy, switchOff, sabotage, ...given } = each
  const scenario = { seed: 1, ...given }
  expect(await runScenario(inDexie, scenario)).toEqual([])
  switchOff?.()
  const faults = await runScenario(inDexie, scenario, sabotage)
  expect(faults.map(({ rule }) => rule)).toContain(caughtBy)
})
