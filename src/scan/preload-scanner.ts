import { note } from '#sync/database/device/diagnostics.ts'
import { nativeDetector } from './native-detector.ts'

/**
 * Has the worker store the scanner for a driver with a job: at the door there may be no network (R110). Others do
 * not pay for its bytes, and a phone that reads codes by itself not for the decoder's.
 */
export function preloadScanner(): void {
  store().catch((error: unknown) => note('The scanner could not be stored ahead', { error }))
}

async function store(): Promise<void> {
  const decoder = (await nativeDetector()) ? [] : ['scan-decoder']
  // Never resolves where there is no worker.
  const registration = await navigator.serviceWorker?.ready
  registration?.active?.postMessage({ type: 'STORE_PARTS', parts: ['scan-dialog', ...decoder] })
}
