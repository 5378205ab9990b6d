import { readFrame } from '#scan/read-frame.ts'
import { hardFrame, link, type Trouble } from '../helpers/scan/hard-frames.ts'

/** Milliseconds in which a frame is judged, or `undefined` where it cannot be read. */
function judged(trouble: Trouble, seed: number): number | undefined {
  const frame = hardFrame(link, trouble, seed)
  const start = performance.now()
  const text = readFrame(frame)
  return text === link ? performance.now() - start : undefined
}

Object.assign(globalThis, { judged })
