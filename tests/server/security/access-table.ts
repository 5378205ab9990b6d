import type { Op } from '#contract/endpoints.ts'
import { photo, present } from '../../helpers/server.ts'
import type { Role, Stage, Target, World } from './world.ts'

/*
 * Who is answered how by each call. A row has one status for each role, in this order; `-` where no
 * such person is, `200/404` where the rules leave it open.
 *
 *   none dead | guest, other guest | sender, other, unverified |
 *   driver, other, pending, rejected, rejected who carried it, approved but unverified | admin
 */
export type Row = string

const anyone: Row = '200 200  200 200  200 200 200  200 200 200 200 200 200  200'
const people: Row = '401 401  401 401  200 200 200  200 200 200 200 200 200  200'
const drivers: Row = '401 401  401 401  403 403 403  200 200 200 200 200 200  403'
const approved: Row = '401 401  401 401  403 403 403  200 200 403 403 403 200  403'
const admins: Row = '401 401  401 401  403 403 403  403 403 403 403 403 403  200'
const created = (row: Row) => row.replaceAll('200', '201')
/** Nobody, whoever may make the call otherwise. */
const notThere = (row: Row) => row.replaceAll('200', '404')

/** One way to make a call: what it says, and who is answered how, by the stage of the delivery if there is one. */
export type Probe = {
  name?: string
  id?: (world: World, target: Target, token: string | undefined) => string | Promise<string>
  body?: (world: World, target: Target, token: string | undefined) => object
  rows: Row | Partial<Record<Stage, Row>>
  /** Texts that its answer may hold for whoever made the call with what it said. */
  reveals?: (world: World, target: Target) => string[]
  /** Whoever is answered 200 has a part in the delivery from then on. */
  joins?: true
}

const unknownId = () => '019a0000-0000-7000-8000-000000000000'
const ofTarget: Probe['id'] = (_, { id }) => id
const asked = {
  itemDescription: 'Documents',
  pickupZone: 'Osu',
  dropoffZone: 'Tema',
  offer: 60.5,
  recipientName: 'Somebody New',
  recipientPhone: '0557000001',
  itemPhoto: photo,
}
const newPerson = {
  name: 'Somebody New',
  email: 'somebody.new@mail.test',
  password: 'a long new password',
  phone_number: '0557000002',
  role: 'sender',
}
const dispute = (_: World, { id }: Target) => ({
  deliveryId: id,
  issue: 'Something broke',
  type: 'sender_issue',
})
const ownPhone = (world: World, token: string | undefined) =>
  world.everybody.find((person) => person.token === token)?.phone || world.unverifiedSender.phone

/** A change that only parties and admins can ask for: `parts` are their answers, 404 is everybody else's. */
const change = (sender: string, driver: string, admin: string): Row =>
  `401 401  401 401  ${sender} 404 404  ${driver} 404 404 404 403/404/409 404  ${admin}`
const guestChange = (guest: string): Row =>
  `401 401  ${guest} 404  403 403 403  403 403 403 403 403 403  403`
const job = (driver: string): Row =>
  `401 401  401 401  403 403 403  ${driver} 404 404 404 403/404/409 404  403`
const stagesAs = (rows: Record<Exclude<Stage, 'Carried'>, Row>) => ({
  ...rows,
  Carried: rows.Delivered,
})
const same = (row: Row) => ({
  Pending: row,
  Accepted: row,
  'Picked Up': row,
  Delivered: row,
  Approved: row,
  Cancelled: row,
  Carried: row,
})

const seen: Row = '401 401  200 404  200 404 404  200 404 404 404 200/403/404 404  200'
const taken: Row = '401 401  401 401  403 403 403  409 409 403 403 403/409 403  403'
const session = async ({ server }: World, token: string | undefined) => {
  const answer = await server.raw('GET', '/sessions', { token })
  const { sessions } = await answer.json()
  return `${sessions?.find((each: { current: boolean }) => each.current)?.id ?? unknownId()}`
}

export const table: Record<Op, Probe[]> = {
  login: [
    {
      body: ({ spare }) => ({ email: spare.email, password: spare.password }),
      rows: anyone,
      reveals: ({ spare }) => [spare.email, spare.phone, spare.user.name],
    },
    {
      name: 'with a wrong password',
      body: ({ spare }) => ({ email: spare.email, password: 'not the one' }),
      rows: anyone.replaceAll('200', '401'),
    },
  ],
  signup: [{ body: () => newPerson, rows: created(anyone) }],
  logout: [{ rows: people }],
  me: [{ rows: people }],
  changePhone: [{ body: () => ({ phone_number: '0557000003' }), rows: people }],
  requestReset: [
    { body: ({ spare }) => ({ phone_number: spare.phone }), rows: anyone },
    { name: 'for nobody', body: () => ({ phone_number: '0557000004' }), rows: anyone },
  ],
  resetPassword: [
    {
      body: ({ spare }) => ({
        phone_number: spare.phone,
        code: '000000',
        new_password: 'another long password',
      }),
      rows: anyone.replaceAll('200', '400'),
    },
  ],
  confirmPhone: [
    {
      body: (world, _, token) => ({ phone_number: ownPhone(world, token), code: '000000' }),
      rows: anyone.replaceAll('200', '400'),
    },
  ],
  resendCode: [
    { body: (world, _, token) => ({ phone_number: ownPhone(world, token) }), rows: anyone },
  ],
  sessions: [{ rows: people }],
  endSession: [
    { name: 'of their own', id: (world, _, token) => session(world, token), rows: people },
    {
      name: 'of another',
      id: (world) => session(world, world.spare.token),
      rows: notThere(people),
    },
    { name: 'of nobody', id: unknownId, rows: notThere(people) },
  ],
  zones: [{ rows: anyone }],
  items: [{ rows: anyone }],
  config: [{ rows: anyone }],
  senderDeliveries: [{ rows: people }],
  senderActiveDeliveries: [{ rows: people }],
  createDelivery: [
    {
      body: () => asked,
      rows: '401 401  401 401  409 201 403  201 201 201 201 201 403  201/403',
    },
  ],
  createGuestDelivery: [
    {
      body: () => ({ ...asked, senderName: 'Somebody New', senderPhone: '0557000005' }),
      rows: created(anyone),
    },
  ],
  driverStatus: [{ rows: drivers }],
  availableDeliveries: [{ rows: approved }],
  driverDeliveries: [{ rows: drivers }],
  acceptDelivery: [
    {
      id: ofTarget,
      joins: true,
      rows: {
        ...same(taken),
        Pending: '401 401  401 401  403 403 403  - 200 403 403 - 403  403',
      },
    },
    { name: 'that is not there', id: unknownId, rows: drivers.replaceAll('200', '403/404') },
  ],
  completeDelivery: [
    {
      id: ofTarget,
      body: (_, { code }) => ({ code }),
      rows: { ...same(job('409')), 'Picked Up': job('200') },
    },
    {
      name: 'with a wrong code',
      id: ofTarget,
      body: (_, { code }) => ({ code: code === '11111' ? '22222' : '11111' }),
      rows: { 'Picked Up': job('400') },
    },
  ],
  getDelivery: [
    {
      id: ofTarget,
      rows: {
        ...same(seen),
        Pending: '401 401  200 404  200 404 404  - 200 404 404 - 200  200',
      },
    },
    {
      name: 'that is not there',
      id: unknownId,
      rows: '401 401  404 404  404 404 404  404 404 404 404 404 404  404',
    },
  ],
  changeStatus: [
    {
      name: 'to Cancelled',
      id: ofTarget,
      body: () => ({ status: 'Cancelled' }),
      rows: stagesAs({
        Pending: change('200', '-', '200'),
        Accepted: change('409', '409', '200'),
        'Picked Up': change('409', '409', '200'),
        Delivered: change('409', '409', '409'),
        Approved: change('409', '409', '409'),
        Cancelled: change('409', '409', '409'),
      }),
    },
    {
      name: 'to Approved',
      id: ofTarget,
      body: () => ({ status: 'Approved' }),
      rows: { ...same(change('409', '409', '409')), ...approvable(change('200', '409', '409')) },
    },
    {
      name: 'to Picked Up',
      id: ofTarget,
      body: () => ({ status: 'Picked Up' }),
      rows: { ...same(change('409', '409', '409')), Accepted: change('409', '200', '409') },
    },
  ],
  changeGuestStatus: [
    {
      name: 'to Cancelled',
      id: ofTarget,
      body: (_, { senderPhone }) => ({ status: 'Cancelled', guestPhone: senderPhone }),
      rows: { ...same(guestChange('409')), Pending: guestChange('200') },
    },
    {
      name: 'to Approved',
      id: ofTarget,
      body: (_, { senderPhone }) => ({ status: 'Approved', guestPhone: senderPhone }),
      rows: { ...same(guestChange('409')), ...approvable(guestChange('200')) },
    },
    {
      name: 'with another phone',
      id: ofTarget,
      body: () => ({ status: 'Approved', guestPhone: '0557000006' }),
      rows: { Delivered: guestChange('403') },
    },
  ],
  createDispute: [
    {
      body: dispute,
      rows: same('401 401  401 401  201 404 404  201 404 404 404 201/403/404 404  404'),
    },
  ],
  createGuestDispute: [
    {
      body: (world, target) => ({ ...dispute(world, target), guestPhone: target.senderPhone }),
      rows: same('401 401  201 404  403 403 403  403 403 403 403 403 403  403'),
    },
  ],
  adminStats: [{ rows: admins }],
  adminTrends: [{ rows: admins }],
  adminActivities: [{ rows: admins }],
  adminUsers: [{ rows: admins }],
  adminUser: [
    { id: ({ otherSender }) => otherSender.user.ID, rows: admins },
    { name: 'that is not there', id: unknownId, rows: notThere(admins) },
  ],
  adminDisputes: [{ rows: admins }],
  adminDispute: [
    { id: ({ disputeId }) => disputeId, rows: admins },
    { name: 'that is not there', id: unknownId, rows: notThere(admins) },
  ],
  resolveDispute: [
    {
      id: ({ disputeId }) => disputeId,
      body: () => ({ status: 'resolved', resolution: 'Talked it over' }),
      rows: admins,
    },
  ],
  adminDeliveries: [{ rows: admins }],
  adminDrivers: [{ rows: admins }],
  adminDriversWithDetails: [{ rows: admins }],
  reviewDriver: [
    {
      id: ({ pendingDriver }) => pendingDriver.user.ID,
      body: () => ({ status: 'approved' }),
      rows: admins,
    },
  ],
  adminZones: [{ rows: admins }],
  addZone: [{ body: () => ({ name: 'A new zone' }), rows: created(admins) }],
  removeZone: [{ id: (world) => firstOf(world, 'zones'), rows: admins }],
  adminItems: [{ rows: admins }],
  adminAudit: [{ rows: admins }],
  addItem: [{ body: () => ({ name: 'A new item' }), rows: created(admins) }],
  removeItem: [{ id: (world) => firstOf(world, 'items'), rows: admins }],
}

function approvable(row: Row) {
  return { Delivered: row, Carried: row }
}

async function firstOf({ server }: World, op: 'zones' | 'items'): Promise<string> {
  const answer = await server.raw('GET', `/${op}`)
  return present((await answer.json())[op][0]).ID
}

/** A row, one answer a role. Throws when it has not as many as there are roles. */
export function cellsOf(row: Row, all: readonly Role[]): Record<Role, string> {
  const cells = row.trim().split(/\s+/)
  if (cells.length !== all.length) throw new Error(`A row has ${cells.length} answers: ${row}`)
  return Object.fromEntries(all.map((role, at) => [role, cells[at]])) as Record<Role, string>
}
