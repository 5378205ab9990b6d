import { describe, test } from 'vitest'
import { waysToFail } from '../../../helpers/device/failures.ts'
import { phoneOfTest } from '../../../helpers/device/phone-of-test.ts'
import {
  everyList,
  expectAllBack,
  expectFewRequests,
  expectOthersUnharmed,
} from '../../../sync/engine/failing-lists.ts'

const ways = Object.keys(waysToFail)
const openPhone = phoneOfTest()

describe.each(ways)('S45: a list that is %s', (way) => {
  // Each list fails in every third way.
  const some = everyList.filter((_, n) => (n + ways.indexOf(way)) % 3 === 0)
  test.each(some)('alone, as $list of a $viewer: a minute of it', (about) =>
    expectOthersUnharmed(openPhone, { ...about, way }),
  )

  const path = ['/deliveries/d1', '/zones', '/config'][ways.indexOf(way) % 3] ?? ''
  test(`for an hour, at ${path}: 40 requests at most`, () =>
    expectFewRequests(openPhone, { path, way }))
})

describe('S47: whether the server is there is judged over all lists', () => {
  test.each(ways)('every list %s: each asks seldom, and all are back within 10 s', (way) =>
    expectAllBack(openPhone, way),
  )
})
