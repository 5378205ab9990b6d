import { decodeQR } from 'qr/decode.js'
import { averaged, enlarged, type Luma, lumaOf, type Picture, sharpened } from './luma.ts'

/** Looked at in this order until one is read: the first reads most frames, the others what it cannot. */
const views: readonly ((grey: Luma) => Luma)[] = [
  (grey) => grey,
  (grey) => sharpened(averaged(grey, 1), 4, 3),
  (grey) => enlarged(grey, 0.75, 1.5),
]

/**
 * The text of the QR code in a camera's frame, or `undefined` where none can be read. The same frame gives the
 * same answer: no limit of time is set, only one of tries.
 */
export function readFrame(frame: Picture): string | undefined {
  const grey = lumaOf(frame)
  for (const view of views) {
    const text = read(view(grey))
    if (text !== undefined) return text
  }
}

function read(grey: Luma): string | undefined {
  try {
    return decodeQR(grey, { format: 'I420', effort: 8, timeLimit: Number.POSITIVE_INFINITY })
  } catch {
    // It throws where it finds no code, or one that its error correction cannot mend.
    return undefined
  }
}
