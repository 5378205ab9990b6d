import type { Ports } from '../ports/ports.ts'
import { sendDueNotifications } from './send-due.ts'
import { wokenByEvents } from './woken-by-events.ts'

/** Milliseconds between two checks for due notifications, and while events arrive. */
const pace = { interval: 20_000, pause: 1_000 }

/**
 * Sends notifications soon after an event, and checks for due ones every 20 seconds. Returns the function that
 * stops it and waits for running sends.
 */
export const startNotifications = (ports: Ports): (() => Promise<void>) =>
  wokenByEvents(
    ports,
    pace,
    (isOver) => sendDueNotifications(ports, isOver),
    (error) =>
      ports.log.warn({ err: error }, 'Notifications were not sent; the next try is in 20 seconds'),
  )
