import type { AccessFixture, Role, Stage, Target } from '../access-fixture.ts'

/*
 * The response of each call to each role. A row has one status for each role, in this order; `-` where
 * the role does not exist.
 *
 *   none dead | guest, other guest | sender, other, unverified |
 *   driver, other, pending, rejected, rejected who carried it, approved but unverified | admin |
 *   recipient, other recipient
 *
 * A row of 14 leaves recipients out: their token opens one call, and elsewhere counts as none (R111).
 */
export type Row = string

export const anyone: Row = '200 200  200 200  200 200 200  200 200 200 200 200 200  200'
export const people: Row = '401 401  401 401  200 200 200  200 200 200 200 200 200  200'
export const drivers: Row = '401 401  401 401  403 403 403  200 200 200 200 200 200  403'
export const approved: Row = '401 401  401 401  403 403 403  200 200 403 403 403 200  403'
export const admins: Row = '401 401  401 401  403 403 403  403 403 403 403 403 403  200'
export const created = (row: Row) => row.replaceAll('200', '201')
/** The row of a call that refuses every role. */
export const notThere = (row: Row) => row.replaceAll('200', '404')

/** One way to make a call: its input and its rows, by the stage of the delivery if there is one. */
export type Probe = {
  name?: string
  id?: (
    fixture: AccessFixture,
    target: Target,
    token: string | undefined,
  ) => string | Promise<string>
  body?: (fixture: AccessFixture, target: Target, token: string | undefined) => object
  rows: Row | Partial<Record<Stage, Row>>
  /** Texts that the response may repeat to the caller who sent them. */
  reveals?: (fixture: AccessFixture, target: Target) => string[]
  /** A caller who gets 200 becomes a party of the delivery. */
  joins?: true
}

export const unknownId = () => '019a0000-0000-7000-8000-000000000000'
export const ofTarget: Probe['id'] = (_, { id }) => id
/** Parses a row: one response for each role. Throws when their number differs from that of the roles. */
export function cellsOf(row: Row, all: readonly Role[]): Record<Role, string> {
  const cells = row.trim().split(/\s+/)
  const none = `${cells[0]}`
  if (cells.length === all.length - 2) cells.push(none, none)
  if (cells.length !== all.length) throw new Error(`A row has ${cells.length} answers: ${row}`)
  return Object.fromEntries(all.map((role, at) => [role, cells[at]])) as Record<Role, string>
}
