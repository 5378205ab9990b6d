import { note } from '../database/device/diagnostics.ts'
import type { LazyEngine } from '../model.ts'
import type { SyncContext } from '../platform/context.ts'
import type { Environment } from '../platform/environment.ts'
import { hasRevocations } from './revocations.ts'

type About = {
  context: SyncContext
  environment: Environment
  loadLazy: () => Promise<Pick<LazyEngine, 'revokeTokens'>>
  isStopped: () => boolean
}

/**
 * Sends the logouts that have not reached the server; no other request waits for them (S39). They wait for no update
 * of the app either (S70).
 */
export function createLogouts({ context, environment, loadLazy, isStopped }: About) {
  const { db, clock } = context
  let running: Promise<void> | undefined
  let timer: unknown

  /** `now`: also those that wait for their next try. Never rejects. */
  function send(now = false): Promise<void> {
    clock.clearTimeout(timer)
    running ??= revoke(now)
      // The next round tries again.
      .catch((error) => note('Logouts were not sent', { error }))
      .finally(() => {
        running = undefined
      })
    return running
  }

  async function revoke(now: boolean): Promise<void> {
    if (!(await hasRevocations(db))) return
    const next = await (await loadLazy()).revokeTokens(context, now)
    if (next === undefined || isStopped()) return
    environment.wakeWorker()
    timer = clock.setTimeout(send, Math.max(1_000, next - clock.monotonic()))
  }

  /** Resolves when the running attempt has ended. */
  async function stop(): Promise<void> {
    clock.clearTimeout(timer)
    await running
  }

  return { send, stop }
}
