import { writeFileSync } from 'node:fs'
import encodeQR from 'qr'

const [width, height] = [640, 480]
/** Pixels of a module. */
const dot = 8

/** Writes what Chromium's fake camera shows over and over: the QR code of this text, as Y4M. */
export function writeCameraFile(path: string, text: string): void {
  const symbol = encodeQR(text, 'raw', { ecc: 'medium', border: 4 })
  const grey = Buffer.alloc(width * height, 90)
  const [left, top] = [(width - symbol.length * dot) >> 1, (height - symbol.length * dot) >> 1]
  for (let y = 0; y < symbol.length * dot; y++)
    for (let x = 0; x < symbol.length * dot; x++)
      grey[(top + y) * width + left + x] =
        symbol[Math.floor(y / dot)]?.[Math.floor(x / dot)] === true ? 20 : 230
  const colours = Buffer.alloc((width * height) / 2, 128)
  const frame = Buffer.concat([Buffer.from('FRAME\n'), grey, colours])
  const head = Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`)
  writeFileSync(path, Buffer.concat([head, frame, frame]))
}
