import { Queue } from 'workbox-background-sync'
import { settled } from '../../durability.ts'
import { askAt, numbers } from '../../rows.ts'

/*
 * Workbox' Queue where it lives, in a service worker. `forceSyncFallback` spares it a call to the
 * browser for every request it keeps; nothing is sent meanwhile.
 */

declare const self: ServiceWorkerGlobalScope & typeof globalThis

const queue = new Queue('bench', { forceSyncFallback: true, onSync: async () => {} })

self.addEventListener('install', () => void self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
self.addEventListener('message', (event) => {
  const { count, how } = event.data
  const [port] = event.ports
  const work = enqueue(count, how).then(
    (took) => port?.postMessage({ took }),
    (error) => port?.postMessage({ error: String(error) }),
  )
  event.waitUntil(work)
})

async function enqueue(count: number, how: 'burst' | 'awaited'): Promise<number> {
  await queue.size()
  await settled()
  const start = performance.now()
  if (how === 'burst') await Promise.all(numbers(count).map(one))
  else for (const index of numbers(count)) await one(index)
  await settled()
  const took = performance.now() - start
  const held = await queue.size()
  if (held !== count) throw new Error(`Kept ${held} of ${count}`)
  return took
}

const one = (index: number): Promise<void> =>
  queue.pushRequest({
    request: new Request('/api/guest/deliveries', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
      body: JSON.stringify(askAt(index)),
    }),
  })
