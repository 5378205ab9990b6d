import { deflateSync } from 'node:zlib'

/** A PNG file to choose in a photo field: about `side * side * 3` bytes, different for each `seed`. */
export function photo(seed = 1, side = 320) {
  const rows = Array.from({ length: side }, (_, y) => row(seed, side, y))
  return {
    name: `parcel-${seed}.png`,
    mimeType: 'image/png',
    buffer: png(side, deflateSync(Buffer.concat(rows))),
  }
}

/** One line of a drawing of a brown box, with enough grain that compression does not make it small. */
function row(seed: number, side: number, y: number): Buffer {
  const line = Buffer.alloc(1 + side * 3)
  for (let x = 0; x < side; x++) {
    const inside = Math.max(Math.abs(x - side / 2), Math.abs(y - side / 2)) < side * 0.36
    const taped = inside && Math.abs(x - side / 2) < side * 0.06
    const base = taped ? [222, 205, 160] : inside ? [168, 118, 66] : [214, 222, 216]
    const grain = ((x * 7919 + y * 104_729 + seed * 1_299_709) % 31) - 15
    for (const [channel, value] of base.entries()) line[1 + x * 3 + channel] = value + grain
  }
  return line
}

function png(side: number, data: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  // Eight bits a channel, three channels.
  header.set([8, 2], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const out = Buffer.alloc(data.length + 12)
  out.writeUInt32BE(data.length, 0)
  named.copy(out, 4)
  out.writeUInt32BE(crc(named), data.length + 8)
  return out
}

function crc(bytes: Buffer): number {
  let sum = 0xffffffff
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  }
  return (sum ^ 0xffffffff) >>> 0
}
