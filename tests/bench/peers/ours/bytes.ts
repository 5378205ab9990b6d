import { type CallInput, call } from '#contract/calls/call.ts'
import type { Clock } from '#sync/platform/context.ts'
import { numbers, rowAt } from '../rows.ts'
import { draftAt, freshPhone, hostedPhoto, pause } from './phone.ts'

/*
 * What goes over the wire; counted outside. Each function does its work on a phone made before, so
 * that what `prepare` costs is not counted.
 */

let phone: Awaited<ReturnType<typeof freshPhone>>
let photo: string
let day: Day

/** A signed-in phone that holds what it is given, and has seen all there is. */
export async function prepare(held: number): Promise<number> {
  day = virtualDay()
  phone = await freshPhone({ signedIn: true, clock: day.clock })
  photo = await hostedPhoto(phone)
  await phone.engine.start()
  if ((await phone.db.deliveries.count()) !== held) throw new Error('Not all pulled')
  return held
}

/** Half requests by guests, half approvals, each sent as it is made. */
export async function mutate(count: number): Promise<number> {
  for (const index of numbers(count / 2)) {
    await phone.commands.requestDelivery(draftAt(index, photo), 'guest')
    await phone.engine.runRound()
    await phone.commands.approveDelivery(rowAt(index).ID)
    await phone.engine.runRound()
  }
  const sent = await phone.db.outbox.where('state').equals('done').count()
  if (sent !== count) throw new Error(`Sent ${sent} of ${count}`)
  return sent
}

/** So many hours with the app open in the hand and nothing new, by a clock that does not wait. */
export async function idle(hours: number): Promise<number> {
  return day.pass(hours * 3_600_000)
}

/** Asks a list so many times that has not changed, as the engine asks; answers how often it was told so. */
export async function unchanged(times: number, token: string): Promise<number> {
  const ask = (question: CallInput) =>
    call((request) => fetch(request), `${location.origin}/api`, 'senderDeliveries', {
      token,
      ...question,
    })
  const first = await ask({})
  const { cursor } = first.value ?? {}
  const next = await ask({ query: { since: cursor } })
  let same = 0
  for (const _ of numbers(times)) {
    const { status } = await ask({ query: { since: cursor }, etag: next.etag })
    if (status === 304) same++
  }
  return same
}

type Day = { clock: Clock; pass: (time: number) => Promise<number> }

/** Timers ring one after another, each as soon as what the one before began has come to rest. */
function virtualDay(): Day {
  let now = Date.now()
  let rung = 0
  const timers = new Map<number, { at: number; work: () => void }>()
  const clock: Clock = {
    now: () => now,
    monotonic: () => now,
    setTimeout: (work, delay) => {
      timers.set(++rung, { at: now + delay, work })
      return rung
    },
    clearTimeout: (timer) => void timers.delete(timer as number),
  }
  async function pass(time: number): Promise<number> {
    const end = now + time
    let rings = 0
    for (;;) {
      await atRest()
      const [next] = [...timers].sort(([, a], [, b]) => a.at - b.at)
      if (!next || next[1].at > end) break
      timers.delete(next[0])
      now = Math.max(now, next[1].at)
      rings++
      next[1].work()
    }
    now = end
    return rings
  }
  /** A round begun now ends after all that was begun before, and sets the timer of the next. */
  async function atRest(): Promise<void> {
    do {
      await pause(1)
      await phone.engine.runRound()
    } while (under.way > 0)
  }
  return { clock, pass }
}

const under = { way: 0 }
const real = globalThis.fetch
globalThis.fetch = async (...given) => {
  under.way++
  try {
    return await real(...given)
  } finally {
    under.way--
  }
}
