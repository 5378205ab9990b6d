import { expect, test } from 'vitest'
import { readFrame } from '#scan/read-frame.ts'
import { hardFrame, link, troubles } from '../../../../../helpers/scan/hard-frames.ts'

/** Scenes of each trouble. */
const scenes = 10
/** Frames of one scene: what a camera gives in about a second. */
const frames = 10

test('R110: of hard frames 80 % are read at once, and 99 % of scenes within ten frames', () => {
  const single: string[] = []
  const within: string[] = []
  const all = troubles.flatMap((trouble) =>
    Array.from({ length: scenes }, (_, seed) => ({ trouble, seed: seed + 1 })),
  )
  for (const { trouble, seed } of all) {
    const name = `${trouble} ${seed}`
    for (let take = 0; take < frames; take++) {
      const text = readFrame(hardFrame(link, trouble, seed, take))
      // What is read is read rightly.
      if (text === undefined) continue
      expect(text, name).toBe(link)
      within.push(name)
      if (take === 0) single.push(name)
      break
    }
  }
  const kinds = troubles.map((trouble) => single.filter((name) => name.startsWith(trouble)).length)
  // No trouble is hopeless at first sight.
  expect(Math.min(...kinds)).toBeGreaterThan(scenes / 2)
  expect(single.length / all.length).toBeGreaterThanOrEqual(0.8)
  expect(within.length / all.length).toBeGreaterThanOrEqual(0.99)
})
