import { isOwnWorker } from '#app/browser/base-url.ts'
import { note } from '#sync/database/device/diagnostics.ts'
import type { DemoDb } from '../backend/demo-db.ts'

/** Milliseconds from the opening of the page that photos wait for the service worker. */
const patience = 4_000

/** Resolves once the service worker controls this page, or four seconds after the page was opened. */
export async function photoWorkerReady(): Promise<void> {
  const worker = navigator.serviceWorker
  if (!import.meta.env.PROD || !worker || isOwnWorker(worker.controller)) return
  await new Promise<void>((resolve) => {
    worker.addEventListener('controllerchange', () => resolve(), { once: true })
    setTimeout(resolve, patience - performance.now())
  })
}

/**
 * Shows photos from the demo's database where no service worker serves them (a private window, a
 * host without HTTPS, the first seconds of a slow visit). It handles the image's error before the
 * app does. `host` is the start of every photo's URL.
 */
export function showPhotosWithoutWorker({ photos }: DemoDb, host: string): void {
  const show = async (image: HTMLImageElement, src: string) => {
    const found = await photos.get(src.slice(host.length)).catch((error) => {
      note('demo photo cannot be read', { error })
      return undefined
    })
    // The app then shows its placeholder.
    if (!found) return image.dispatchEvent(new Event('error'))
    const type = src.endsWith('.svg') ? 'image/svg+xml' : ''
    image.src = URL.createObjectURL(new Blob([new Uint8Array(found.bytes)], { type }))
  }
  addEventListener(
    'error',
    (event) => {
      const image = event.target
      if (!event.isTrusted || !(image instanceof HTMLImageElement)) return
      if (!image.src.startsWith(host)) return
      event.stopImmediatePropagation()
      void show(image, image.src)
    },
    true,
  )
}
