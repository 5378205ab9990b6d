import type { CallInput, CallResult } from '#contract/calls/call.ts'
import { Unreachable } from '#contract/wire-errors.ts'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { amountColumns } from '#domain/deliveries/payment.ts'
import type { DriverApplication } from '#domain/users/driver.ts'
import type { User } from '#domain/users/user.ts'
import type { SyncContext } from '#sync/platform/context.ts'
import { required, timedCall } from '../requests/timed-call.ts'
import { currentSession } from '../session.ts'
import type { SomaDb } from '../soma-db.ts'
import { csv } from './csv.ts'

export type Exported = 'deliveries' | 'users' | 'drivers' | 'audit' | 'payouts'
export type ExportOptions = {
  /** The list's query: search and filters. */
  query?: Record<string, string | undefined>
  signal?: AbortSignal
  /** Rows so far, of so many. */
  progress?: (rows: number, of: number) => void
}

const rowsAtOnce = '1000'

/**
 * Walks through a whole list on the server and makes one file of it; nothing when it was stopped.
 * Not stored on the device. Throws `Refused` or `Unreachable`.
 */
export async function exportCsv(
  context: SyncContext<SomaDb>,
  what: Exported,
  { query: filters, signal, progress }: ExportOptions,
): Promise<Blob | undefined> {
  const { heads, page } = sources[what]
  const parts = [csv([heads])]
  let rows = 0
  for (let after: string | undefined, first = true; first || after; first = false) {
    const query = { ...filters, limit: rowsAtOnce, after }
    const token = (await currentSession(context.db))?.token
    const found = await orStopped(signal, page(context, { query, token, signal }))
    if (!found) return undefined
    parts.push(csv(found.lines))
    rows += found.lines.length
    progress?.(rows, found.total ?? rows)
    after = found.next
  }
  // The mark lets spreadsheets read cedis and names as they are.
  return new Blob(['\ufeff', ...parts], { type: 'text/csv;charset=utf-8' })
}

type Found = { lines: Line[]; next?: string; total?: number }
type Line = (string | number | undefined)[]
type Source = {
  heads: string[]
  page: (context: SyncContext<SomaDb>, question: CallInput) => Promise<Found>
}

async function orStopped<T>(signal: AbortSignal | undefined, work: Promise<T>) {
  try {
    return await work
  } catch (error) {
    if (signal?.aborted) return undefined
    if (!(error instanceof Unreachable)) throw error
    const message = 'The file needs the network to the end. Please try again when you are online.'
    throw new Unreachable(message, error)
  }
}

const source = <
  O extends
    | 'adminDeliveries'
    | 'adminUsers'
    | 'adminDriversWithDetails'
    | 'adminAudit'
    | 'adminPayouts',
>(
  op: O,
  heads: string[],
  linesOf: (value: NonNullable<CallResult<O>['value']>) => Line[],
): Source => ({
  heads,
  page: async (context, question) => {
    const value = required(await timedCall(context, op, question))
    const { next, total } = value as { next?: string; total?: number }
    return { lines: linesOf(value), next, total }
  },
})

/** The delivery code is left out: a file goes where codes must not. */
const deliveryLine = (row: Delivery): Line => [
  row.ID,
  row.createdAt,
  row.updatedAt,
  row.status,
  row.itemDescription,
  row.pickupZone,
  row.dropoffZone,
  ...amountColumns.map(([, value]) => value(row)),
  row.sender?.name ?? row.senderName,
  row.sender?.phone ?? row.senderPhone,
  row.sender?.email,
  row.driver?.name,
  row.driver?.phone,
  row.driver?.email,
  row.recipientName,
  row.recipientPhone,
]

const userLine = (user: User): Line => [
  user.ID,
  user.name,
  user.email,
  user.phone_number,
  user.role,
  user.Verified ? 'yes' : 'no',
  user.driverStatus,
]

const driverLine = (row: DriverApplication): Line => [
  row.ID,
  row.User.Name,
  row.User.Email,
  row.User.Phone,
  row.CreatedAt,
  row.DecidedAt,
  row.Status,
  row.IDType,
  row.IDNumber,
]

const sources: Record<Exported, Source> = {
  deliveries: source(
    'adminDeliveries',
    [
      'ID',
      'Created',
      'Updated',
      'Status',
      'Item',
      'Pickup zone',
      'Drop-off zone',
      ...amountColumns.map(([head]) => head),
      'Sender',
      'Sender phone',
      'Sender email',
      'Driver',
      'Driver phone',
      'Driver email',
      'Recipient',
      'Recipient phone',
    ],
    ({ deliveries }) => deliveries.map(deliveryLine),
  ),
  users: source(
    'adminUsers',
    ['ID', 'Name', 'Email', 'Phone', 'Role', 'Phone verified', 'Driver status'],
    ({ users }) => users.map(userLine),
  ),
  drivers: source(
    'adminDriversWithDetails',
    ['ID', 'Name', 'Email', 'Phone', 'Applied', 'Decided', 'Status', 'ID type', 'ID number'],
    ({ drivers }) => drivers.map(driverLine),
  ),
  payouts: source(
    'adminPayouts',
    ['ID', 'Created', 'Delivery', 'Driver', 'Amount (GHS)', 'Status', 'Reference', 'Message'],
    ({ payouts }) =>
      payouts.map(({ ID, createdAt, DeliveryID, driver, amount, status, reference, message }) => [
        ID,
        createdAt,
        DeliveryID,
        driver.name,
        amount.toFixed(2),
        status,
        reference,
        message,
      ]),
  ),
  audit: source('adminAudit', ['ID', 'When', 'Who', 'What', 'About', 'From'], ({ entries }) =>
    entries.map(({ ID, At, Actor, Action, Subject, Address }) => [
      ID,
      At,
      Actor,
      Action,
      Subject,
      Address,
    ]),
  ),
}
