import { note } from '#sync/database/device/diagnostics.ts'
import { type Camera, type CameraProblem, openCamera, problemOf } from './camera.ts'
import { openReader } from './open-reader.ts'

export type ScanState =
  | { is: 'asking' }
  | { is: 'scanning'; camera: Camera }
  | { is: 'paused' }
  | { is: 'problem'; problem: CameraProblem | 'no decoder' }

type Options = {
  video: HTMLVideoElement
  onState: (state: ScanState) => void
  /** What a code says; awaited before the next frame is read. */
  onText: (text: string) => Promise<unknown>
}

/** Milliseconds between two frames: the rest of the page wants its time, too. */
const pause = 80

/**
 * Reads codes from the camera until it is stopped. Hidden, the page lets go of the camera, and takes it again once
 * it is shown: a phone freezes the picture of a page in the background. Returns the way to stop it.
 */
export function startScan(options: Options): () => void {
  const { onState } = options
  let current = new AbortController()
  const start = () => {
    current.abort()
    const mine = new AbortController()
    current = mine
    const fail = (error: unknown) => {
      if (mine.signal.aborted) return
      mine.abort()
      const problem = error instanceof NoDecoder ? 'no decoder' : problemOf(error)
      note(`The scanner stopped: ${problem}`, { error })
      onState({ is: 'problem', problem })
    }
    onState({ is: 'asking' })
    readCodes(mine.signal, options, fail).catch(fail)
  }
  const follow = () => {
    if (document.visibilityState === 'visible') return start()
    current.abort()
    onState({ is: 'paused' })
  }
  document.addEventListener('visibilitychange', follow)
  start()
  return () => {
    document.removeEventListener('visibilitychange', follow)
    current.abort()
  }
}

/** The phone has no way to read a code: ours could not be loaded. */
class NoDecoder extends Error {}

/** Rejects when something fails; `fail`: when the camera stops by itself. */
async function readCodes(
  signal: AbortSignal,
  { video, onState, onText }: Options,
  fail: (error: unknown) => void,
): Promise<void> {
  const camera = await openCamera()
  whenAborted(signal, camera.stop)
  const [track] = camera.stream.getVideoTracks()
  track?.addEventListener('ended', () => fail(new Error('The camera stopped')))
  if (signal.aborted) return
  video.srcObject = camera.stream
  await video.play()
  if (signal.aborted) return
  onState({ is: 'scanning', camera })
  try {
    const reader = await openReader()
    whenAborted(signal, reader.close)
    while (!signal.aborted) {
      const text = await reader.read(video)
      if (text !== undefined && !signal.aborted) await onText(text)
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  } catch (error) {
    throw new NoDecoder('No code can be read', { cause: error })
  }
}

/** At once, if it is aborted already. */
function whenAborted(signal: AbortSignal, work: () => void): void {
  if (signal.aborted) work()
  else signal.addEventListener('abort', work, { once: true })
}
