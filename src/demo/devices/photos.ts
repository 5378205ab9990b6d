import { isOwnWorker } from '#app/browser/base-url.ts'
import type { DemoBox } from '../backend/demo-db.ts'

/** How long pictures may keep the first visit waiting. Milliseconds. */
const patience = 4_000

/** Resolves once the service worker answers for this page, or when that takes too long. */
export async function photosServed(): Promise<void> {
  const worker = navigator.serviceWorker
  if (!import.meta.env.PROD || !worker || isOwnWorker(worker.controller)) return
  await new Promise<void>((resolve) => {
    worker.addEventListener('controllerchange', () => resolve(), { once: true })
    setTimeout(resolve, patience)
  })
}

/**
 * Where no service worker answers for photos (a private window, a host without HTTPS, the first
 * seconds of a slow first visit), a picture that failed is shown from the box itself, before the
 * app hears of its failure.
 */
export function rescuePhotos({ photos }: DemoBox, host: string): void {
  const rescue = async (image: HTMLImageElement, src: string) => {
    const found = await photos.get(src.slice(host.length)).catch(() => undefined)
    // Nothing to show: the app's own placeholder does.
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
      void rescue(image, image.src)
    },
    true,
  )
}
