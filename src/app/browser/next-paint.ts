import { nextTask } from './next-task.ts'

/** Milliseconds after which no frame is waited for: a page in the background draws none. */
const longest = 100

/** Resolves once what has changed on the screen is drawn. */
export const nextPaint = (): Promise<unknown> =>
  Promise.race([
    new Promise((resolve) => globalThis.requestAnimationFrame?.(resolve)).then(nextTask),
    new Promise((resolve) => setTimeout(resolve, longest)),
  ])
