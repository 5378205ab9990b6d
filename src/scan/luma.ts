/*
 * Grey pictures and what helps a decoder with a hard one. Pure; every function returns a new picture.
 */

/**
 * A picture in grey, one byte a pixel, both sides even. `data` has half as much space again at its end, as the
 * decoder's planar format (I420) wants it, whose colours nothing reads.
 */
export type Luma = { width: number; height: number; data: Uint8ClampedArray }

type Size = Pick<Luma, 'width' | 'height'>
/** As much of `ImageData` as is read. */
export type Picture = Size & { data: Uint8ClampedArray }

const emptyLuma = ({ width, height }: Size): Luma => ({
  width,
  height,
  data: new Uint8ClampedArray((width * height * 3) / 2),
})

/** The grey of a colour picture (RGBA); an odd last row or column is left out. */
export function lumaOf({ width, height, data }: Picture): Luma {
  const grey = emptyLuma({ width: width & ~1, height: height & ~1 })
  let at = 0
  for (let y = 0; y < grey.height; y++)
    for (let from = y * width * 4, end = from + grey.width * 4; from < end; from += 4)
      grey.data[at++] =
        ((data[from] as number) * 77 +
          (data[from + 1] as number) * 150 +
          (data[from + 2] as number) * 29) >>
        8
  return grey
}

/**
 * Each pixel becomes the average of the square of `2 * radius + 1` pixels about it; beyond the picture's edge its
 * last pixels go on.
 */
export function averaged(grey: Luma, radius: number): Luma {
  const { width, height } = grey
  const rows = emptyLuma(grey)
  for (let y = 0; y < height; y++) averageRow(grey.data, rows.data, y * width, width, radius)
  const out = emptyLuma(grey)
  const scale = 1 / (2 * radius + 1)
  const row = (y: number) => Math.min(Math.max(y, 0), height - 1) * width
  // Row by row, which is how the pixels lie in memory: a column at a time takes three times as long.
  const sums = new Int32Array(width)
  for (let y = -radius; y <= radius; y++)
    for (let x = 0; x < width; x++)
      sums[x] = (sums[x] as number) + (rows.data[row(y) + x] as number)
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++) out.data[at++] = (sums[x] as number) * scale
    const [ahead, behind] = [row(y + radius + 1), row(y - radius)]
    for (let x = 0; x < width; x++)
      sums[x] =
        (sums[x] as number) + (rows.data[ahead + x] as number) - (rows.data[behind + x] as number)
  }
  return out
}

/** The moving average along the row that begins at `start`. */
function averageRow(
  from: Uint8ClampedArray,
  to: Uint8ClampedArray,
  start: number,
  width: number,
  radius: number,
): void {
  const end = start + width - 1
  const scale = 1 / (2 * radius + 1)
  let sum = 0
  for (let at = start - radius; at <= start + radius; at++)
    sum += from[Math.min(Math.max(at, start), end)] as number
  for (let at = start; at <= end; at++) {
    to[at] = sum * scale
    const ahead = at + radius + 1
    const behind = at - radius
    sum += (from[Math.min(ahead, end)] as number) - (from[Math.max(behind, start)] as number)
  }
}

/** Edges made steeper: what a pixel differs from those about it by counts `1 + strength` times. */
export function sharpened(grey: Luma, radius: number, strength: number): Luma {
  const around = averaged(grey, radius)
  const out = emptyLuma(grey)
  const count = grey.width * grey.height
  for (let at = 0; at < count; at++) {
    const value = grey.data[at] ?? 0
    out.data[at] = value + strength * (value - (around.data[at] as number))
  }
  return out
}

/** The middle of the picture, `part` of each side, drawn `times` as large. */
export function enlarged(grey: Luma, part: number, times: number): Luma {
  const out = emptyLuma({
    width: Math.round(grey.width * part * times) & ~1,
    height: Math.round(grey.height * part * times) & ~1,
  })
  const left = (grey.width * (1 - part)) / 2
  const top = (grey.height * (1 - part)) / 2
  let at = 0
  for (let y = 0; y < out.height; y++) {
    const sy = within((y + 0.5) / times - 0.5 + top, grey.height)
    const row = Math.floor(sy)
    const fy = sy - row
    for (let x = 0; x < out.width; x++) {
      const sx = within((x + 0.5) / times - 0.5 + left, grey.width)
      const column = Math.floor(sx)
      const fx = sx - column
      const from = row * grey.width + column
      const upper = (grey.data[from] as number) * (1 - fx) + (grey.data[from + 1] as number) * fx
      const below = from + grey.width
      const lower = (grey.data[below] as number) * (1 - fx) + (grey.data[below + 1] as number) * fx
      out.data[at++] = upper * (1 - fy) + lower * fy
    }
  }
  return out
}

/** A place whose right and lower neighbours are in the picture, too. */
const within = (at: number, count: number) => Math.min(Math.max(at, 0), count - 1.001)
