import { expect, test } from 'vitest'
import { contentHtml, frameHtml, frameNameOf } from '#app/components/page/frames.ts'
import { paths } from '#app/paths.ts'

test.each([
  ['/', 'home'],
  ['/demo/', 'home'],
  ['/some/where/drive', 'drive'],
  ['/send', 'send'],
  ['drive?sort=price', 'drive'],
  ['/delivery/0192-a', 'delivery'],
  ['/admin/users/7', 'admin'],
  ['/driver-pending', 'driver-pending'],
  ['/nowhere', 'other'],
])('%s opens with the frame of %s', (path, name) => {
  expect(frameNameOf(path)).toBe(name)
})

test('every screen has a frame of its own', () => {
  for (const path of Object.values(paths)) expect(frameNameOf(path), path).not.toBe('other')
})

test('below a heading that is drawn already, the frame has the content alone', () => {
  expect(frameHtml('/drive')).toContain(contentHtml('drive'))
  expect(contentHtml('drive')).toContain('boot-title')
  expect(contentHtml('drive', false)).not.toContain('boot-title')
})
