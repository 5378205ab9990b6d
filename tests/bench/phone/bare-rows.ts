import type { Page } from '@playwright/test'
import { type BareServer, startBareServer } from './bare-server.ts'

/*
 * The least that an offline list can be: a worker that answers from its cache, one script that reads rows
 * from IndexedDB, and simple cards of them.
 */

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Rows</title>
<style>
body { margin: 0; padding: 16px; background: #fbf7ee; color: #14201a; font: 1rem/1.45 system-ui, sans-serif }
article { display: flex; min-height: 76px; margin-bottom: 8px; align-items: center; border: 1px solid #e4dccb; border-radius: 18px; background: #fff }
article span { flex: 1 }
</style>
</head>
<body><p id="count"></p><main></main><script src="/rows.js"></script></body>
</html>
`

/** `?draw=50` draws so many of the rows; all are read, and held. */
const script = `
navigator.serviceWorker.register('/worker.js')
const opening = indexedDB.open('bare', 1)
opening.onupgradeneeded = () => opening.result.createObjectStore('rows', { keyPath: 'ID' })
opening.onsuccess = () => {
  const all = opening.result.transaction('rows').objectStore('rows').getAll()
  all.onsuccess = () => draw(all.result)
}
function draw(rows) {
  window.rows = rows
  const few = rows.slice(0, Number(new URLSearchParams(location.search).get('draw') ?? 50))
  const parts = few.map(({ view }) => {
    const card = document.createElement('article')
    const text = document.createElement('span')
    const title = document.createElement('b')
    title.textContent = view.pickupZone + ' → ' + view.dropoffZone
    text.append(title, document.createElement('br'), new Date(view.createdAt).toLocaleTimeString() + ' · ' + view.itemDescription)
    const price = document.createElement('strong')
    price.textContent = view.offer
    card.append(text, price)
    return card
  })
  document.querySelector('main').append(...parts)
  document.querySelector('#count').textContent = few.length + ' jobs'
}
`

const worker = `
addEventListener('install', (event) => event.waitUntil(
  caches.open('bare').then((cache) => cache.addAll(['/rows', '/rows.js'])).then(() => skipWaiting())))
addEventListener('activate', (event) => event.waitUntil(clients.claim()))
addEventListener('fetch', (event) => event.respondWith(
  caches.match(event.request, { ignoreSearch: true }).then((found) => found ?? fetch(event.request))))
`

export const startBareRows = (appOrigin: string): Promise<BareServer> =>
  startBareServer(
    {
      '/rows': { type: 'text/html', body: html },
      '/rows.js': { type: 'text/javascript', body: script },
      '/worker.js': { type: 'text/javascript', body: worker },
    },
    appOrigin,
  )

/**
 * Stores `count` rows in the bare page's database: these, and copies of them with other IDs. Its worker is
 * installed then, too.
 */
export async function fillBareRows(
  page: Page,
  origin: string,
  rows: unknown[],
  count = rows.length,
): Promise<void> {
  await page.goto(`${origin}/rows`)
  await page.evaluate(
    async ([some, total]) => {
      await navigator.serviceWorker.ready
      const opening = indexedDB.open('bare', 1)
      await new Promise<void>((resolve, reject) => {
        opening.onsuccess = () => {
          const writing = opening.result.transaction('rows', 'readwrite')
          for (let index = 0; index < total; index++) {
            const row = some[index % some.length] as { ID: string; view: object }
            const ID = index < some.length ? row.ID : crypto.randomUUID()
            writing.objectStore('rows').put({ ...row, ID, view: { ...row.view, ID } })
          }
          writing.oncomplete = () => resolve()
          writing.onerror = () => reject(writing.error)
        }
      })
    },
    [rows, count] as const,
  )
}
