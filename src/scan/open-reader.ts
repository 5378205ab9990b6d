import { nativeDetector } from './native-detector.ts'

/** Reads the camera's picture of this moment; nothing where it shows no code. Rejects once it cannot read any more. */
export type Reader = {
  read: (video: HTMLVideoElement) => Promise<string | undefined>
  close: () => void
}

/** Pixels of the side of a frame that is read: more takes longer and finds hardly more. */
const mostPixels = 640

/** The browser's own reader, else ours. Rejects where ours cannot be loaded, as offline on a phone that never had it. */
export async function openReader(): Promise<Reader> {
  const native = await nativeDetector()
  if (!native) return openWorker()
  let ours: Promise<Reader> | undefined
  return {
    async read(video) {
      try {
        if (!ours) return (await native.detect(video))[0]?.rawValue
      } catch {
        // Its service is not installed, or failed.
      }
      ours ??= openWorker()
      return (await ours).read(video)
    },
    close: () => void ours?.then((reader) => reader.close()).catch(() => {}),
  }
}

async function openWorker(): Promise<Reader> {
  const worker = new Worker(new URL('./scan-decoder.ts', import.meta.url), { type: 'module' })
  const ask = (frame: ImageData) =>
    new Promise<string | undefined>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<string | undefined>) => resolve(data)
      worker.onerror = () => reject(new Error('The reader of codes failed'))
      const { width, height, data } = frame
      worker.postMessage({ width, height, data }, [data.buffer])
    })
  try {
    // The first answer shows that the script is there.
    await ask(new ImageData(64, 64))
  } catch (error) {
    worker.terminate()
    throw error
  }
  const grab = frameGrabber()
  return {
    async read(video) {
      const frame = grab(video)
      return frame && ask(frame)
    },
    close: () => worker.terminate(),
  }
}

/** Draws the middle square of the camera's picture. */
function frameGrabber() {
  const canvas = document.createElement('canvas')
  const pen = canvas.getContext('2d', { willReadFrequently: true })
  return (video: HTMLVideoElement): ImageData | undefined => {
    const { videoWidth, videoHeight } = video
    const side = Math.min(videoWidth, videoHeight)
    if (!pen || side === 0) return undefined
    const size = Math.min(side, mostPixels)
    if (canvas.width !== size) {
      canvas.width = size
      canvas.height = size
    }
    const [left, top] = [(videoWidth - side) / 2, (videoHeight - side) / 2]
    pen.drawImage(video, left, top, side, side, 0, 0, size, size)
    return pen.getImageData(0, 0, size, size)
  }
}
