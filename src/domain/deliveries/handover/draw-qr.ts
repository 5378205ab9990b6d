import encode from 'qr'

/** What of a canvas element it needs. */
type Canvas = {
  width: number
  height: number
  getContext(kind: '2d'): Pen | null
}
type Pen = { fillStyle: unknown; fillRect(x: number, y: number, w: number, h: number): void }

/**
 * Draws a text as a QR code, one pixel for each module, black on white. A canvas keeps its colours where a browser darkens
 * pages; it turns black in an SVG into white, also under `color-scheme: only light`.
 */
export function drawQr(canvas: Canvas, text: string): void {
  const rows = encode(text, 'raw', { ecc: 'medium', border: 4 })
  canvas.width = canvas.height = rows.length
  const pen = canvas.getContext('2d')
  if (!pen) return
  rows.forEach((row, y) => {
    row.forEach((isDark, x) => {
      pen.fillStyle = isDark ? '#000' : '#fff'
      pen.fillRect(x, y, 1, 1)
    })
  })
}
