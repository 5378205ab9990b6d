import type { Page } from '@playwright/test'
import encodeQR from 'qr'

/* A camera for pages of the shared browser, which has none. */

declare global {
  interface Window {
    showCode: (modules: boolean[][]) => void
  }
}

/** Every camera that this page opens from now on is a drawing, on which `showCode` puts a QR code. */
export const standInCamera = (page: Page): Promise<unknown> => page.addInitScript(drawCamera)

/** Holds the QR code of this text before the page's camera. */
export const showCode = (page: Page, text: string): Promise<void> =>
  page.evaluate(
    (modules) => window.showCode(modules),
    encodeQR(text, 'raw', { ecc: 'medium', border: 4 }),
  )

/** Runs in the page. */
function drawCamera() {
  const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 480 })
  const brush = canvas.getContext('2d')
  const dot = 8
  let shown: boolean[][] = []
  window.showCode = (modules) => {
    shown = modules
  }
  const grey = (light: number) => `rgb(${light} ${light} ${light})`
  const draw = () => {
    if (!brush) return
    brush.fillStyle = grey(90)
    brush.fillRect(0, 0, canvas.width, canvas.height)
    const left = (canvas.width - shown.length * dot) >> 1
    const top = (canvas.height - shown.length * dot) >> 1
    for (const [y, row] of shown.entries())
      for (const [x, isDark] of row.entries()) {
        brush.fillStyle = grey(isDark ? 20 : 230)
        brush.fillRect(left + x * dot, top + y * dot, dot, dot)
      }
  }
  // A stream has a new frame only when something was drawn.
  setInterval(draw, 100)
  navigator.mediaDevices.getUserMedia = async () => {
    draw()
    return canvas.captureStream(10)
  }
}
