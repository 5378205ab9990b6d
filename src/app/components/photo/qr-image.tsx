import { useCallback } from 'react'
import { drawQr } from '#domain/deliveries/handover/draw-qr.ts'

/** A text as a QR code, in a square as wide as there is room. */
export function QrImage({ text, alt }: { text: string; alt: string }) {
  const draw = useCallback(
    (canvas: HTMLCanvasElement | null) => {
      if (canvas) drawQr(canvas, text)
    },
    [text],
  )
  return (
    <canvas
      ref={draw}
      role="img"
      aria-label={alt}
      className="mx-auto aspect-square w-full max-w-80 rounded-lg [image-rendering:pixelated]"
    />
  )
}
