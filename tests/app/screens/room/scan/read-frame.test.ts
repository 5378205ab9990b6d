import { expect, test } from 'vitest'
import { readFrame } from '#scan/read-frame.ts'
import { hardFrame, link, side, troubles } from '../../../../helpers/scan/hard-frames.ts'

/** Frames of one scene: what a camera gives in about a second. */
const takes = [...Array(10).keys()]

// `tests/slow/app/screens/room/scan/read-frame.test.ts` counts over many scenes how many are read, and how soon.
test.each(troubles)('R110: a code on another phone is read within ten frames: %s', (trouble) => {
  const read = (take: number) => readFrame(hardFrame(link, trouble, 4, take))
  const first = takes.find((take) => read(take) !== undefined)
  expect(first).toBeDefined()
  expect(read(first ?? 0)).toBe(link)
})

test('nothing is read where there is no code, and an odd or tiny frame is none', () => {
  for (const size of [1, 2, 3, 63, 64])
    expect(
      readFrame({ width: size, height: size, data: new Uint8ClampedArray(size * size * 4) }),
    ).toBeUndefined()
  const frame = hardFrame(link, 'small', 1)
  // Cut in two, the symbol has lost a finder.
  frame.data.fill(128, 0, (side * side * 4) / 2)
  expect(readFrame(frame)).toBeUndefined()
})
