import encode from 'qr'
import { useCallback } from 'react'
import { drawQr, qrOptions } from '#domain/deliveries/handover/draw-qr.ts'

/** A text as a QR code, in a square as wide as there is room. */
export function QrImage({ text, alt }: { text: string; alt: string }) {
  const draw = useCallback(
    (canvas: HTMLCanvasElement | null) => {
      if (canvas) drawQr(canvas, encode(text, 'raw', qrOptions))
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
