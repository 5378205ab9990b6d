import encode from 'qr'
import { useMemo } from 'react'
import { onWhite, qrOptions } from '#domain/deliveries/handover/qr-svg.ts'

/** A text as a QR code, in a square as wide as there is room. */
export function QrImage({ text, alt }: { text: string; alt: string }) {
  const source = useMemo(() => {
    const svg = onWhite(encode(text, 'svg', qrOptions))
    return `data:image/svg+xml,${encodeURIComponent(svg)}`
  }, [text])
  return (
    <img
      src={source}
      alt={alt}
      width={320}
      height={320}
      className="mx-auto aspect-square w-full max-w-80 rounded-lg [color-scheme:only_light]"
    />
  )
}
