import { expect, test } from 'vitest'
import { thumbnailOf } from '#app/browser/photos/thumbnail.ts'

const name = `${'ab'.repeat(32)}.jpg`

test('R122: a photo of the built-in provider has a thumbnail beside it; another provider’s, and the demo’s, have none', () => {
  expect(thumbnailOf(`https://soma.example/api/images/${name}`)).toBe(
    `https://soma.example/api/images/thumbnails/${name}`,
  )
  for (const other of [
    undefined,
    `https://soma.example/demo/photos/api/images/${name}`,
    'https://res.cloudinary.example/image/upload/v1/a.jpg',
    `https://soma.example/api/images/${name}?x`,
    'javascript:alert(1)',
  ])
    expect(thumbnailOf(other)).toBeUndefined()
})
