/** Milliseconds after which no frame is waited for: a page in the background draws none. */
const longest = 100

/** Resolves once what has changed on the screen is drawn. */
export const nextPaint = (): Promise<unknown> =>
  Promise.race([
    new Promise((resolve) => globalThis.requestAnimationFrame?.(resolve)).then(nextTask),
    new Promise((resolve) => setTimeout(resolve, longest)),
  ])

/** By a message: browsers hold back timers. */
const nextTask = () =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = resolve
    port2.postMessage(undefined)
  })
