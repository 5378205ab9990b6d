/** What a QR code is encoded with: rows of modules, and whether each is dark. */
export const qrOptions = { ecc: 'medium', border: 4 } as const

/** What of a canvas element is needed. */
type Canvas = { width: number; height: number; getContext(kind: '2d'): Pen | null }
type Pen = {
  fillStyle: unknown
  fillRect(x: number, y: number, width: number, height: number): void
}

/**
 * Draws a QR code, one pixel for each module, black on white. A browser that darkens pages leaves a canvas as it is; it
 * turns the black of an SVG into white, also under `color-scheme: only light`.
 */
export function drawQr(canvas: Canvas, rows: boolean[][]): void {
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
