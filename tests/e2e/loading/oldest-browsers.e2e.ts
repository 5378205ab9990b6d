import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { newerApisIn, newerStylesIn } from '../../helpers/sources/newer-apis.ts'

/* What the build asks of a browser, against the compatibility data of MDN. */

const root = join(import.meta.dirname, '../../../dist/app')
const began = Number(readFileSync(join(root, '../built'), 'utf8'))
/** The files of the newest build alone: scripts of the one before lie beside them. */
const built = (ending: RegExp) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name) && statSync(join(root, name)).mtimeMs >= began)
    .map((name) => readFileSync(join(root, name), 'utf8'))

/** Names that stand in the build though an oldest browser lacks them, each with the reason why it may. */
const scripts: Record<string, string> = {
  Report: 'the first word of a text',
  TextEvent: 'React asks for it',
  ViewTransition: 'the name of a component',
  animation: 'a property of styles',
  bytes: 'a property of ours',
  captureStackTrace: 'zod asks for it',
  component: 'a property of React',
  databases: 'Dexie asks for it',
  fetchPriority: 'an attribute, ignored where it is unknown',
  hidePopover: 'a browser without popovers leaves toasts below a dialog',
  imageSizes: 'an attribute, ignored where it is unknown',
  move: 'a property of ours',
  popover: 'an attribute, ignored where it is unknown',
  resize: 'a property of the decoder',
  scrollMargin: 'a property of the virtual list',
  showPopover: 'a browser without popovers leaves toasts below a dialog',
  stackTraceLimit: 'zod asks for it',
  toBase64: 'asked for, and done by hand without it',
  wakeLock: 'asked for: without it the screen goes dark as usual',
  withResolvers: 'Dexie asks for it',
}
const styles: Record<string, string> = {
  '@layer': 'what Tailwind sets for browsers without @property, all of which know layers',
  '@property': 'Tailwind sets what it declares by hand in Firefox before 128',
  'contain-intrinsic-height': 'only the speed of long lists',
  'content-visibility': 'only the speed of long lists',
  scale: 'a pressed button does not shrink',
  'scrollbar-width': 'a bar is seen',
  'text-wrap': 'a title breaks elsewhere',
  'user-select': 'a legend of a chart can be selected',
  ':has': 'the page behind a sheet scrolls',
  ':open': 'in a list that skips what is unknown',
  ':popover-open': 'in a list that skips what is unknown',
  'lab()': 'behind the same colour in hexadecimal digits',
  dvh: 'behind the same in vh',
}

test('The built scripts use nothing that the oldest browsers lack', () => {
  const found = built(/\.(js|html)$/).flatMap(newerApisIn)
  expect([...new Set(found)].filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
  const used =
    'URL.canParse(url) && AbortSignal.any([one, AbortSignal.timeout(9)]) && list.toReversed()'
  expect(newerApisIn(used)).toHaveLength(4)
})

test('The built styles need nothing that the oldest browsers lack', () => {
  const found = built(/\.(css|html)$/).flatMap(newerStylesIn)
  expect([...new Set(found)].filter((name) => !Object.hasOwn(styles, name))).toEqual([])
  const used =
    '@container (width>1px){.a:user-invalid{translate:1px;color:color-mix(in lab,red,red)}}'
  expect(newerStylesIn(used)).toEqual(['@container', 'translate', ':user-invalid', 'color-mix()'])
})
