/** Why there is no picture. */
export type CameraProblem = 'denied' | 'none' | 'failed'

/** TypeScript's library does not know the torch yet. */
type Torch = { torch?: boolean }

export type Camera = {
  stream: MediaStream
  /** Whether it has a light that the page can switch. */
  hasTorch: boolean
  setTorch: (on: boolean) => Promise<void>
  stop: () => void
}

/** Asks for the camera at the phone's back, or any. Rejects with what `problemOf` understands. */
export async function openCamera(): Promise<Camera> {
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: false,
    video: {
      facingMode: 'environment',
      width: { ideal: 1280 },
      height: { ideal: 720 },
    },
  })
  const [track] = stream.getVideoTracks()
  // Firefox has no capabilities to ask for.
  const capabilities = (track?.getCapabilities?.() ?? {}) as Torch
  return {
    stream,
    hasTorch: capabilities.torch === true,
    setTorch: async (torch) => {
      const constraint: Torch = { torch }
      await track?.applyConstraints({ advanced: [constraint as MediaTrackConstraintSet] })
    },
    stop: () => {
      for (const each of stream.getTracks()) each.stop()
    },
  }
}

/** What a rejection of the camera means to the person. */
export function problemOf(error: unknown): CameraProblem {
  const name = error instanceof Error || error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied'
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'none'
  // NotReadableError and AbortError: another app uses it, or it does not answer.
  return 'failed'
}
