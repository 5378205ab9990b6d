import { afterAll, beforeAll, describe } from 'vitest'
import { accessTests } from './access/access.ts'
import { listFieldTests } from './access/list-fields.ts'
import { metrics, otherRouteTests } from './access/other-routes.ts'
import { type AccessFixture, startFrozenFixture } from './access-fixture.ts'
import { badInputTests } from './bad-input.ts'

type Extent = {
  /** Every delivery to every role, and every value of a query field by every reader; otherwise one of each kind. */
  all: boolean
  /** Of each property of generated input. */
  runs: number
}

/** The tests that are generated from the endpoint table, over one server whose data stay as they are. */
export function securityTests({ all, runs }: Extent) {
  let fixture: AccessFixture
  beforeAll(async () => {
    fixture = await startFrozenFixture({ metrics })
  })
  afterAll(() => fixture.server.close())

  describe('access', () => accessTests(() => fixture, all))
  describe('list fields', () => listFieldTests(() => fixture, all))
  describe('other routes', () => otherRouteTests(() => fixture))
  describe('bad input', () => badInputTests(() => fixture, runs))
}
