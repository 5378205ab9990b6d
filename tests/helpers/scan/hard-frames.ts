import encodeQR from 'qr'

/*
 * Frames as a phone's camera gives them of a QR code on another phone, drawn by code: seen from the side, shaken, out
 * of focus, in the glare of a lamp, at night, from far. The same seed gives the same pixels.
 */

export type Frame = { width: number; height: number; data: Uint8ClampedArray<ArrayBuffer> }

export const troubles = ['tilt', 'blur', 'motion', 'glare', 'dark', 'small'] as const
export type Trouble = (typeof troubles)[number]

/** Pixels of a frame's side: the middle square of a camera's picture. */
export const side = 640

/** What one scene looks like; each frame of it differs by a shake of the hand and by its noise. */
type Scene = {
  dots: boolean[][]
  /** Pixels that the symbol's side takes. */
  size: number
  /** Radians: turned in the picture's plane, and away from the camera about two axes. */
  turn: number
  yaw: number
  pitch: number
  /** Pixels of the Gaussian blur's standard deviation, and of the way it moves while the shutter is open. */
  blur: number
  motion: { length: number; angle: number }
  /** A lamp's reflection: how much light it adds in its middle, and its radius as a part of the symbol's side. */
  glare: { light: number; radius: number; x: number; y: number }
  /** Light of black and of white, 0 to 255, and the sensor's noise. */
  black: number
  white: number
  noise: number
  around: number
}

type Draw = (from: number, to: number) => number

/** Mulberry32: numbers from 0 to 1 that follow from the seed. */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** One frame of the scene with this seed: `take` is which of its frames. */
export function hardFrame(text: string, trouble: Trouble, seed: number, take = 0): Frame {
  const random = seeded(seed * 1_000 + troubles.indexOf(trouble))
  const draw: Draw = (from, to) => from + random() * (to - from)
  const scene = sceneOf(text, trouble, draw)
  const shake = seeded(seed * 7_919 + take * 104_729 + 17)
  return expose(scene, shake)
}

/** The symbol's modules, without the quiet zone around it. */
const symbolOf = (text: string): boolean[][] =>
  encodeQR(text, 'raw', { ecc: 'medium', border: 1 })
    .slice(1, -1)
    .map((row) => row.slice(1, -1))

function sceneOf(text: string, trouble: Trouble, draw: Draw): Scene {
  const is = (...those: Trouble[]) => those.includes(trouble)
  const black = is('dark') ? draw(4, 14) : draw(15, 50)
  return {
    dots: symbolOf(text),
    size: is('small') ? draw(150, 190) : draw(250, 420),
    turn: draw(-0.35, 0.35),
    yaw: is('tilt') ? draw(0.55, 0.95) * (draw(0, 1) < 0.5 ? -1 : 1) : draw(-0.2, 0.2),
    pitch: is('tilt') ? draw(-0.4, 0.4) : draw(-0.2, 0.2),
    blur: is('blur') ? draw(1.8, 3.2) : draw(0.5, 1),
    motion: { length: is('motion') ? draw(6, 12) : draw(0, 2), angle: draw(0, Math.PI) },
    glare: {
      light: is('glare') ? draw(140, 270) : draw(0, 30),
      radius: draw(0.18, 0.35),
      x: draw(-0.45, 0.45),
      y: draw(-0.45, 0.45),
    },
    black,
    white: is('dark') ? black + draw(14, 30) : draw(170, 235),
    noise: is('dark') ? draw(5, 9) : draw(2, 6),
    around: draw(0.1, 0.6),
  }
}

/** Draws the scene as the camera sees it this moment. */
function expose(scene: Scene, random: () => number): Frame {
  const draw: Draw = (from, to) => from + random() * (to - from)
  const shaken: Scene = {
    ...scene,
    turn: scene.turn + draw(-0.05, 0.05),
    yaw: scene.yaw + draw(-0.06, 0.06),
    pitch: scene.pitch + draw(-0.06, 0.06),
    size: scene.size * draw(0.95, 1.05),
    blur: scene.blur * draw(0.7, 1.15),
    motion: {
      length: scene.motion.length * draw(0.4, 1.1),
      angle: scene.motion.angle + draw(-0.5, 0.5),
    },
    glare: {
      ...scene.glare,
      x: scene.glare.x + draw(-0.12, 0.12),
      y: scene.glare.y + draw(-0.12, 0.12),
    },
  }
  const lit = light(shaken, draw(-25, 25), draw(-25, 25))
  const seen = blurred(moved(lit, shaken.motion), shaken.blur)
  return developed(seen, shaken.noise, random)
}

/** How much light comes from each point: the symbol with its quiet zone, on a screen before something uneven. */
function light(scene: Scene, dx: number, dy: number): Float32Array {
  const out = new Float32Array(side * side)
  const at = backProjection(scene, dx, dy)
  const count = scene.dots.length
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      let sum = 0
      for (const [sx, sy] of subpixels) {
        const [u, v] = at(x + sx, y + sy)
        sum += brightness(scene, u, v, count, x, y)
      }
      out[y * side + x] = sum / subpixels.length
    }
  return out
}

const subpixels = [
  [0.25, 0.35],
  [0.75, 0.65],
] as const

/** `u`, `v`: -0.5 to 0.5 across the symbol. */
function brightness(scene: Scene, u: number, v: number, count: number, x: number, y: number) {
  const { black, white, glare, around } = scene
  const inside = Math.max(Math.abs(u), Math.abs(v))
  const quiet = 0.5 + 4 / count
  const isDark = scene.dots[Math.floor((v + 0.5) * count)]?.[Math.floor((u + 0.5) * count)]
  const base =
    inside < quiet
      ? isDark
        ? black
        : white
      : inside < quiet * 1.3
        ? black * 0.8
        : black + (white - black) * around * (0.7 + 0.3 * Math.sin(x / 23) * Math.cos(y / 31))
  if (inside > quiet * 1.3) return base
  const distance = ((u - glare.x) ** 2 + (v - glare.y) ** 2) / glare.radius ** 2
  return distance < 6 ? base + glare.light * Math.exp(-distance) : base
}

/** From a point of the picture to the symbol's plane, seen by a camera at a distance of 2.2 of the symbol's sides. */
function backProjection({ size, turn, yaw, pitch }: Scene, dx: number, dy: number) {
  const distance = 2.2
  const [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)]
  const [ct, st] = [Math.cos(turn), Math.sin(turn)]
  // The plane's two axes, turned about the vertical and then the horizontal axis.
  const right = [cy, sy * sp, -sy * cp] as const
  const down = [0, cp, sp] as const
  return (px: number, py: number): readonly [number, number] => {
    const [x, y] = [(px - side / 2 - dx) / size, (py - side / 2 - dy) / size]
    const [a, b] = [(x * ct + y * st) / distance, (y * ct - x * st) / distance]
    // right·u + down·v = (a·(distance + z), b·(distance + z)), where z is the depth of the point.
    const m11 = right[0] - a * right[2]
    const m12 = down[0] - a * down[2]
    const m21 = right[1] - b * right[2]
    const m22 = down[1] - b * down[2]
    const det = m11 * m22 - m12 * m21
    const [p, q] = [a * distance, b * distance]
    return [(p * m22 - q * m12) / det, (q * m11 - p * m21) / det]
  }
}

function moved(from: Float32Array, { length, angle }: Scene['motion']): Float32Array {
  const steps = Math.ceil(length)
  if (steps < 2) return from
  const shifts = Array.from({ length: steps }, (_, step) => {
    const way = (step / (steps - 1) - 0.5) * length
    return [Math.round(way * Math.cos(angle)), Math.round(way * Math.sin(angle))] as const
  })
  const out = new Float32Array(from.length)
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      let sum = 0
      for (const [sx, sy] of shifts) sum += from[clamp(y + sy) * side + clamp(x + sx)] ?? 0
      out[y * side + x] = sum / steps
    }
  return out
}

function blurred(from: Float32Array, sigma: number): Float32Array {
  const reach = Math.ceil(sigma * 2.5)
  const weights = Array.from({ length: 2 * reach + 1 }, (_, at) =>
    Math.exp(-((at - reach) ** 2) / (2 * sigma * sigma)),
  )
  const sum = weights.reduce((total, weight) => total + weight, 0)
  // Along the rows twice, turned between: rows lie in memory as they are read.
  const along = (source: Float32Array) => {
    const out = new Float32Array(source.length)
    for (let y = 0; y < side; y++)
      for (const [at, weight] of weights.entries()) {
        const shift = at - reach
        for (let x = 0; x < side; x++)
          out[x * side + y] =
            (out[x * side + y] as number) +
            (source[y * side + clamp(x + shift)] as number) * (weight / sum)
      }
    return out
  }
  return along(along(from))
}

/** The sensor: noise that grows with the light, and 256 levels. */
function developed(seen: Float32Array, noise: number, random: () => number): Frame {
  const data = new Uint8ClampedArray(seen.length * 4)
  for (let at = 0; at < seen.length; at++) {
    const value = seen[at] ?? 0
    // Three uniform numbers are near enough to a Gaussian one.
    const grain = (random() + random() + random() - 1.5) * 2 * noise * (0.6 + value / 400)
    data.fill(value + grain, at * 4, at * 4 + 3)
    data[at * 4 + 3] = 255
  }
  return { width: side, height: side, data }
}

const clamp = (at: number) => (at < 0 ? 0 : at >= side ? side - 1 : at)

/** What the QR code of a hand-over says (R110). */
export const link =
  'https://soma.example.com.gh/h/0192f0c1-7e2a-7b3c-9d4e-5f6071829304#AAECAwQFBgcICQoLDA0ODw.12345'
