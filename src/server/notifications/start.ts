import type { Ports } from '../ports/ports.ts'
import { sendDueNotifications } from './send-due.ts'

/** Milliseconds between two checks for due notifications. */
const interval = 20_000
/** Milliseconds between two checks while events arrive. */
const pause = 1_000

/**
 * Sends notifications soon after an event, and checks for due ones every 20 seconds. Returns the function that
 * stops it and waits for running sends.
 */
export function startNotifications(ports: Ports): () => Promise<void> {
  let isOver = false
  let isAwaited = false
  let underWay: Promise<void> | undefined
  const pass = async () => {
    try {
      while (isAwaited && !isOver) {
        isAwaited = false
        await sendDueNotifications(ports, () => isOver)
        if (isAwaited) await new Promise((later) => setTimeout(later, pause))
      }
    } catch (error) {
      if (!isOver)
        ports.log.warn({ err: error }, 'Notifications were not sent; the next try is in 20 seconds')
    }
    underWay = undefined
  }
  const wake = () => {
    isAwaited = true
    if (!isOver) underWay ??= pass()
  }
  // Messages are queued in the transactions that publish events.
  const unsubscribe = ports.repo.listen(wake, wake)
  wake()
  const timer = setInterval(wake, interval)
  if (typeof timer === 'object') timer.unref()
  return async () => {
    isOver = true
    clearInterval(timer)
    unsubscribe()
    await underWay
  }
}
