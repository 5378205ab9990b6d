import { Refused, Unreachable } from '#contract/errors.ts'
import type { Ports } from '#server/ports/ports.ts'
import { deedsIn, likely } from './actions.ts'
import { diceOf } from './random.ts'
import { openTown } from './simulation.ts'

export type Life = {
  gateways: Ports
  /**
   * Whether the visitor waits for others to act on what they asked for: they are guest or sender,
   * and no tour leads them. Else what they asked for is left for themself to take.
   */
  visitorWaits: () => boolean
  /** Numbers in [0, 1). */
  random?: () => number
  /** Resolves after so many milliseconds, or sooner when the signal says stop. */
  pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** Of all tabs that name the same lock, one lives at a time. */
  locks?: Pick<LockManager, 'request'>
  lockName?: string
  /** Nothing happens while it is hidden; another tab may take over. */
  page?: Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>
}

/** Milliseconds from one deed to the next, at least and at most. */
const rhythm: [number, number] = [8_000, 25_000]

/**
 * The city's other people act: every so often one of them does something believable, through the
 * real server's calls, in a session of their own. Never in the name of a character that the visitor
 * may be. Gives the function that ends it; that resolves when nothing is under way any more.
 */
export function startLife(life: Life): () => Promise<void> {
  const { gateways, visitorWaits, page, locks, lockName = 'soma-demo-life' } = life
  const { random = Math.random, pause = pauseFor } = life
  const dice = diceOf(random)
  const town = openTown(gateways, dice)
  let turn = new AbortController()
  let living: Promise<unknown> = Promise.resolve()

  async function live(signal: AbortSignal) {
    while (!signal.aborted) {
      await pause(dice.between(...rhythm), signal)
      if (!signal.aborted) await oneDeed().catch(sayWhenStrange)
    }
  }

  const oneDeed = async () =>
    likely(deedsIn(await town.look(), visitorWaits(), dice, town), dice)?.act()

  /** To be refused is not strange: somebody else was quicker. */
  function sayWhenStrange(error: unknown) {
    if (error instanceof Refused || error instanceof Unreachable) return
    gateways.log.warn({ err: error }, 'Somebody in the city could not do what they meant to')
  }

  function appear() {
    turn = new AbortController()
    const { signal } = turn
    if (page?.hidden) return
    const begin = () => live(signal)
    // Asked to wait no longer, before it was this tab's turn: then there is nothing to end.
    const mine = locks ? locks.request(lockName, { signal }, begin).catch(() => undefined) : begin()
    living = Promise.all([living, mine])
  }

  function turnAway() {
    turn.abort()
    appear()
  }

  page?.addEventListener('visibilitychange', turnAway)
  appear()
  return async () => {
    page?.removeEventListener('visibilitychange', turnAway)
    turn.abort()
    await living
    await town.close()
  }
}

const pauseFor = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((go) => {
    if (signal.aborted) return go()
    const timer = setTimeout(go, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      go()
    })
  })
