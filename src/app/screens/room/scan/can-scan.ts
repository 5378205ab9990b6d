import type { DeliveryRow } from '#store/rows.ts'

/** Whether this phone can scan this delivery's code (R110): a page without TLS has neither a camera nor hashes. */
export const canScan = ({ view }: DeliveryRow): boolean =>
  view.handoverHash !== undefined &&
  typeof navigator.mediaDevices?.getUserMedia === 'function' &&
  crypto.subtle !== undefined
