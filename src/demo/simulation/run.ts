import { Refused, Unreachable } from '#contract/wire-errors.ts'
import type { Ports } from '#server/ports/ports.ts'
import { chooseAction, possibleActions } from './actions.ts'
import { openCity } from './city.ts'
import { randomFrom } from './random.ts'

export type SimulationOptions = {
  ports: Ports
  /**
   * Whether the visitor waits for others to act on their request: they are guest or sender, and no
   * tour is running. Else the request is left for the visitor to accept.
   */
  visitorWaits: () => boolean
  /** Numbers in [0, 1). */
  random?: () => number
  /** Resolves after so many milliseconds, or at once when the signal aborts. */
  pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** Of all tabs that name the same lock, one runs the simulation at a time. */
  locks?: Pick<LockManager, 'request'>
  lockName?: string
  /** While it is hidden nothing happens here, and another tab may take over. */
  page?: Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>
}

/** Milliseconds between two actions: least and most. */
const interval: [number, number] = [8_000, 25_000]

/**
 * Lets the city's residents act: every few seconds one of them makes a plausible call of the real
 * server in a session of their own, never as a persona. Returns the function that stops it, which
 * resolves when nothing is under way any more.
 */
export function startSimulation(options: SimulationOptions): () => Promise<void> {
  const { ports, visitorWaits, page, locks, lockName = 'soma-demo-life' } = options
  const { random: nextNumber = Math.random, pause = pauseFor } = options
  const random = randomFrom(nextNumber)
  const city = openCity(ports, random)
  let turn = new AbortController()
  let running: Promise<unknown> = Promise.resolve()

  async function actUntil(signal: AbortSignal) {
    while (!signal.aborted) {
      await pause(random.between(...interval), signal)
      if (!signal.aborted) await actOnce().catch(logUnexpected)
    }
  }

  const actOnce = async () =>
    chooseAction(possibleActions(await city.view(), visitorWaits(), random, city), random)?.act()

  /** A refusal is expected: somebody else was quicker. */
  function logUnexpected(error: unknown) {
    if (error instanceof Refused || error instanceof Unreachable) return
    ports.log.warn({ err: error }, 'A simulated resident’s action failed')
  }

  function begin() {
    turn = new AbortController()
    const { signal } = turn
    if (page?.hidden) return
    const act = () => actUntil(signal)
    running = Promise.all([running, locks ? inTurn(locks, signal, act) : act()])
  }

  /** An aborted signal ends the wait for the lock: this tab's turn never began. */
  const inTurn = (locks: Pick<LockManager, 'request'>, signal: AbortSignal, act: () => unknown) =>
    locks.request(lockName, { signal }, act).catch((error) => {
      if (!signal.aborted) ports.log.warn({ err: error }, 'The simulation got no lock')
    })

  function restart() {
    turn.abort()
    begin()
  }

  page?.addEventListener('visibilitychange', restart)
  begin()
  return async () => {
    page?.removeEventListener('visibilitychange', restart)
    turn.abort()
    await running
    await city.close()
  }
}

const pauseFor = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
