/** Asks the service worker that holds Workbox' queue. */
async function enqueue(count: number, how: 'burst' | 'awaited'): Promise<number> {
  const address = `/workbox-worker.js${location.search}`
  const registration = await navigator.serviceWorker.register(address)
  await navigator.serviceWorker.ready
  const { port1, port2 } = new MessageChannel()
  const answered = new Promise<{ took?: number; error?: string }>((resolve) => {
    port1.onmessage = ({ data }) => resolve(data)
  })
  registration.active?.postMessage({ count, how }, [port2])
  const { took, error } = await answered
  if (took === undefined) throw new Error(error)
  return took
}

Object.assign(globalThis, { bench: { enqueue } })
