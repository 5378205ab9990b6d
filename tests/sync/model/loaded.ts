/*
 * Imports the app's lazy modules beforehand: a module read from the disk during a scenario would arrive
 * at another moment in each run. For the same reason a digest is made at once: the platform's own is made
 * by another thread.
 */
import { createHash } from 'node:crypto'
import '#sync/lazy.ts'

crypto.subtle.digest = async (_, data) => {
  const bytes = ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data)
  return new Uint8Array(createHash('sha256').update(bytes).digest()).buffer
}
