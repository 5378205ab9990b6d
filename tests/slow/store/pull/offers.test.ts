import { test } from 'vitest'
import { expectGrowth } from '../../../store/pull/offers.ts'
import { serverOfFile } from '../../../sync/server-fixture.ts'

const file = serverOfFile()

test('S50: jobs on offer grow on scrolling, page by page, to 2,000 at most', () =>
  expectGrowth(file, 3_000))
