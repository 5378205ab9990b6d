import type { AccessFixture, Role, Stage, Target } from '../world.ts'

/*
 * Who is answered how by each call. A row has one status for each role, in this order; `-` where no
 * such person is.
 *
 *   none dead | guest, other guest | sender, other, unverified |
 *   driver, other, pending, rejected, rejected who carried it, approved but unverified | admin
 */
export type Row = string

export const anyone: Row = '200 200  200 200  200 200 200  200 200 200 200 200 200  200'
export const people: Row = '401 401  401 401  200 200 200  200 200 200 200 200 200  200'
export const drivers: Row = '401 401  401 401  403 403 403  200 200 200 200 200 200  403'
export const approved: Row = '401 401  401 401  403 403 403  200 200 403 403 403 200  403'
export const admins: Row = '401 401  401 401  403 403 403  403 403 403 403 403 403  200'
export const created = (row: Row) => row.replaceAll('200', '201')
/** Nobody, whoever may make the call otherwise. */
export const notThere = (row: Row) => row.replaceAll('200', '404')

/** One way to make a call: what it says, and who is answered how, by the stage of the delivery if there is one. */
export type Probe = {
  name?: string
  id?: (world: AccessFixture, target: Target, token: string | undefined) => string | Promise<string>
  body?: (world: AccessFixture, target: Target, token: string | undefined) => object
  rows: Row | Partial<Record<Stage, Row>>
  /** Texts that its answer may hold for whoever made the call with what it said. */
  reveals?: (world: AccessFixture, target: Target) => string[]
  /** Whoever is answered 200 has a part in the delivery from then on. */
  joins?: true
}

export const unknownId = () => '019a0000-0000-7000-8000-000000000000'
export const ofTarget: Probe['id'] = (_, { id }) => id
/** A row, one answer a role. Throws when it has not as many as there are roles. */
export function cellsOf(row: Row, all: readonly Role[]): Record<Role, string> {
  const cells = row.trim().split(/\s+/)
  if (cells.length !== all.length) throw new Error(`A row has ${cells.length} answers: ${row}`)
  return Object.fromEntries(all.map((role, at) => [role, cells[at]])) as Record<Role, string>
}
