import { test } from 'vitest'
import { expectGrowth } from '../../../store/pull/offers.ts'
import { serverOfFile } from '../../../sync/server-fixture.ts'

const { server, network } = serverOfFile()

test('S50: jobs on offer grow on scrolling, page by page, to 2,000 at most', () =>
  expectGrowth(server(), network(), 3_000))
