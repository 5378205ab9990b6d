import { photo } from '../../../helpers/server/server.ts'
import type { AccessFixture, Stage, Target } from '../access-fixture.ts'
import {
  anyone,
  approved,
  created,
  drivers,
  notThere,
  ofTarget,
  type Probe,
  people,
  type Row,
  unknownId,
} from './access-rows.ts'

/* The access rows of calls about deliveries. */

const asked = {
  itemDescription: 'Documents',
  pickupZone: 'Osu',
  dropoffZone: 'Tema',
  offer: 60.5,
  recipientName: 'Somebody New',
  recipientPhone: '0557000001',
  itemPhoto: photo,
}
const dispute = (_: AccessFixture, { id }: Target) => ({
  deliveryId: id,
  issue: 'Something broke',
  type: 'sender_issue',
})
const asDriver = (fixture: AccessFixture, target: Target) => ({
  ...dispute(fixture, target),
  type: 'driver_issue',
})
/** A change for the parties and admins only: `parts` are their responses; everybody else gets 404 (R53). */
const change = (sender: string, driver: string, admin: string): Row =>
  `401 401  401 401  ${sender} 404 404  ${driver} 404 404 404 404 404  ${admin}`
const guestChange = (guest: string): Row =>
  `401 401  ${guest} 404  403 403 403  403 403 403 403 403 403  403`
const side = (sender: string, driver: string): Row =>
  `401 401  ${sender} 404  ${sender} 404 404  ${driver} 404 404 404 404 404  404`
/** A call of the sender or guest; everybody else gets 404, their driver as well (R53). */
const own = (sender: string): Row => side(sender, '404')
const job = (driver: string): Row =>
  `401 401  401 401  403 403 403  ${driver} 404 404 404 404 404  403`
const office = (admin: string): Row =>
  `401 401  401 401  403 403 403  403 403 403 403 403 403  ${admin}`
/** The row with another response for the rejected driver who carried the delivery. */
const forCarrier = (row: Row, answer: string): Row => {
  const cells = row.trim().split(/\s+/)
  return [...cells.slice(0, 11), answer, ...cells.slice(12)].join(' ')
}
const stagesAs = (rows: Record<Exclude<Stage, 'Carried'>, Row>, carrier: string) => ({
  ...rows,
  Carried: forCarrier(rows.Delivered, carrier),
})
/** `carrier`: the response to the rejected driver about the delivery they carried. */
const same = (row: Row, carrier: string) => ({
  Pending: row,
  Accepted: row,
  'Picked Up': row,
  Returning: row,
  Delivered: row,
  Approved: row,
  Cancelled: row,
  Carried: forCarrier(row, carrier),
})

const tracked: Row = '401 401  404 404  404 404 404  404 404 404 404 404 404  404  200 404'
const seen: Row = '401 401  200 404  200 404 404  200 404 404 404 404 404  200'
const taken: Row = '401 401  401 401  403 403 403  409 409 403 403 403 403  403'
export const deliveryCalls = {
  senderDeliveries: [{ rows: people }],
  senderActiveDeliveries: [{ rows: people }],
  createDelivery: [
    {
      body: () => asked,
      rows: '401 401  401 401  409 201 403  201 201 201 201 201 403  201',
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
  // Without its days.
  driverEarnings: [{ rows: drivers.replaceAll('200', '400') }],
  changePayout: [
    { body: () => ({ phone: '0557000005', network: 'mtn', name: 'Yaw' }), rows: drivers },
  ],
  confirmPayout: [{ body: () => ({ code: '000000' }), rows: drivers.replaceAll('200', '400') }],
  acceptDelivery: [
    {
      id: ofTarget,
      joins: true,
      rows: {
        ...same(taken, '409'),
        Pending: '401 401  401 401  403 403 403  - 200 403 403 - 403  403',
      },
    },
    { name: 'that is not there', id: unknownId, rows: notThere(drivers) },
  ],
  completeDelivery: [
    {
      id: ofTarget,
      body: (_, { code }) => ({ code }),
      rows: { ...same(job('409'), '403'), 'Picked Up': job('200'), Returning: job('200') },
    },
    {
      name: 'with a wrong code',
      id: ofTarget,
      body: (_, { code }) => ({ code: code === '11111' ? '22222' : '11111' }),
      rows: { 'Picked Up': job('400'), Returning: job('400') },
    },
    {
      name: 'with the secret of the hand-over',
      id: ofTarget,
      body: (_, { secret }) => ({ handoverSecret: secret }),
      rows: { 'Picked Up': job('200'), Returning: job('200'), Delivered: job('409') },
    },
    {
      name: 'with another secret',
      id: ofTarget,
      body: ({ targets }, { secret }) => ({
        handoverSecret: targets.find((each) => each.secret !== secret)?.secret,
      }),
      rows: { 'Picked Up': job('400'), Delivered: job('409') },
    },
    {
      name: 'with the sender’s own code',
      id: ofTarget,
      body: (_, { returnCode = '123456' }) => ({ code: returnCode }),
      rows: { 'Picked Up': job('400'), Returning: job('200') },
    },
  ],
  acknowledgeCancel: [
    { id: ofTarget, rows: { ...same(job('409'), '409'), Cancelled: job('200') } },
    { name: 'of nobody', id: unknownId, rows: notThere(drivers) },
  ],
  contestPickUp: [
    {
      id: ofTarget,
      body: () => ({ reason: 'It is still here' }),
      rows: { ...same(own('409'), '404'), 'Picked Up': own('200'), Returning: own('200') },
    },
    {
      name: 'with another phone',
      id: ofTarget,
      body: () => ({ reason: 'It is still here', guestPhone: '0557000006' }),
      rows: { 'Picked Up': own('403') },
    },
  ],
  assignDriver: [
    {
      id: ofTarget,
      body: () => ({ driver: null, reason: 'Bike broke down' }),
      rows: { ...same(office('409'), '403'), Accepted: office('200') },
    },
    {
      name: 'that is not there',
      id: unknownId,
      body: () => ({ driver: null, reason: 'Bike broke down' }),
      rows: notThere(office('200')),
    },
  ],
  correctDelivery: [
    {
      id: ofTarget,
      body: () => ({ recipientPhone: '0557000009', reason: 'A wrong digit' }),
      rows: {
        ...same(office('409'), '403'),
        Pending: office('200'),
        Accepted: office('200'),
        'Picked Up': office('200'),
        Returning: office('200'),
      },
    },
  ],
  // Their senders pay the driver themselves.
  refundDelivery: [
    {
      id: ofTarget,
      body: () => ({ reason: 'It never arrived' }),
      rows: same(office('409'), '403'),
    },
    {
      name: 'that is not there',
      id: unknownId,
      body: () => ({ amount: 5, reason: 'It never arrived' }),
      rows: notThere(office('200')),
    },
  ],
  // Senders have confirmed their numbers, and guests have not.
  sendCode: [
    {
      id: ofTarget,
      rows: {
        ...same(office('409'), '403'),
        Pending: office('200/409'),
        Accepted: office('200/409'),
        'Picked Up': office('200/409'),
        Returning: office('200/409'),
      },
    },
  ],
  releaseJob: [
    {
      id: ofTarget,
      body: () => ({ reason: 'The car broke down' }),
      rows: { ...same(job('409'), '403'), Accepted: job('200') },
    },
  ],
  reportAttempt: [
    {
      id: ofTarget,
      body: () => ({ reason: 'absent', note: 'Nobody is there', photo }),
      rows: { ...same(job('409'), '403'), 'Picked Up': job('200') },
    },
  ],
  reportUnpaid: [{ id: ofTarget, rows: { ...same(job('409'), '409'), Approved: job('200') } }],
  startReturn: [
    { id: ofTarget, body: () => ({}), rows: same(job('409'), '403') },
    { name: 'of nobody', id: unknownId, body: () => ({}), rows: notThere(drivers) },
  ],
  changeDriverCard: [
    {
      body: () => ({ licenceNumber: 'CL-12', licenceExpires: '2030-01-31' }),
      rows: '401 401  401 401  403 403 403  200 200 200 200 200 200  403',
    },
  ],
  changeCommutes: [
    {
      body: () => ({
        commutes: [{ from: 'Osu', to: 'Tema', days: [1, 5], leaves: '07:00', notify: true }],
      }),
      rows: '401 401  401 401  403 403 403  200 200 200 200 200 200  403',
    },
  ],
  confirmReturn: [
    {
      id: ofTarget,
      body: () => ({}),
      rows: { ...same(own('409'), '404'), Returning: own('200') },
    },
    {
      name: 'with another phone',
      id: ofTarget,
      body: () => ({ guestPhone: '0557000006' }),
      rows: { Returning: own('403') },
    },
  ],
  raiseOffer: [
    {
      id: ofTarget,
      body: () => ({ offer: 70 }),
      rows: { ...same(own('409'), '404'), Pending: own('200') },
    },
    {
      name: 'with another phone',
      id: ofTarget,
      body: () => ({ offer: 70, guestPhone: '0557000006' }),
      rows: { Pending: own('403') },
    },
    { name: 'downwards', id: ofTarget, body: () => ({ offer: 1 }), rows: { Pending: own('400') } },
  ],
  // Senders pay drivers themselves here.
  payDelivery: [{ id: ofTarget, body: () => ({}), rows: same(own('409'), '404') }],
  renewCode: [
    {
      id: ofTarget,
      body: () => ({}),
      rows: {
        ...same(own('409'), '404'),
        Accepted: own('200'),
        'Picked Up': own('200'),
        Returning: own('200'),
      },
    },
    {
      name: 'with another phone',
      id: ofTarget,
      body: () => ({ guestPhone: '0557000006' }),
      rows: { Accepted: own('403') },
    },
  ],
  rateDelivery: [
    {
      id: ofTarget,
      body: () => ({ stars: 4, words: 'Thank you' }),
      rows: { ...same(side('409', '409'), '409'), Approved: side('200', '200') },
    },
  ],
  handover: [
    {
      id: ofTarget,
      rows: {
        ...same(tracked, '404'),
        Pending: tracked.replace('404 404 404 404 404 404  404', '- 404 404 404 - 404  404'),
      },
      // The two first names, and the number of the driver while they have it.
      reveals: (_, { senderName, driver }) => [senderName, ...(driver ? [driver.phone] : [])],
    },
    { name: 'that is not there', id: unknownId, rows: notThere(tracked) },
  ],
  recoverGuest: [
    { body: (_, { guest }) => ({ guestPhone: guest?.phone ?? '0557000007' }), rows: anyone },
  ],
  confirmGuestRecovery: [
    {
      body: (_, { guest }) => ({ guestPhone: guest?.phone ?? '0557000007', code: '000000' }),
      rows: anyone.replaceAll('200', '400'),
    },
  ],
  getDelivery: [
    {
      id: ofTarget,
      rows: {
        ...same(seen, '200'),
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
      rows: stagesAs(
        {
          Pending: change('200', '-', '200'),
          Accepted: change('200', '409', '200'),
          'Picked Up': change('409', '409', '200'),
          Returning: change('409', '409', '200'),
          Delivered: change('409', '409', '409'),
          Approved: change('409', '409', '409'),
          Cancelled: change('409', '409', '409'),
        },
        '409',
      ),
    },
    {
      name: 'to Approved',
      id: ofTarget,
      body: () => ({ status: 'Approved' }),
      rows: {
        ...same(change('409', '409', '409'), '409'),
        ...approvable(change('200', '409', '200'), '409'),
      },
    },
    {
      name: 'to Picked Up',
      id: ofTarget,
      body: () => ({ status: 'Picked Up' }),
      rows: {
        ...same(change('409', '409', '409'), '403'),
        Accepted: change('409', '200', '409'),
      },
    },
    ...(['Pending', 'Accepted', 'Delivered'] as const).map((status) => ({
      name: `to ${status}`,
      id: ofTarget,
      body: () => ({ status }),
      rows: same(change('409', '409', '409'), '409'),
    })),
  ],
  changeGuestStatus: [
    {
      name: 'to Cancelled',
      id: ofTarget,
      body: (_, { senderPhone }) => ({ status: 'Cancelled', guestPhone: senderPhone }),
      rows: {
        ...same(guestChange('409'), '403'),
        Pending: guestChange('200'),
        Accepted: guestChange('200'),
      },
    },
    {
      name: 'to Approved',
      id: ofTarget,
      body: (_, { senderPhone }) => ({ status: 'Approved', guestPhone: senderPhone }),
      rows: { ...same(guestChange('409'), '403'), ...approvable(guestChange('200'), '403') },
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
      rows: same('401 401  401 401  201 404 404  400 404 404 404 404 404  404', '400'),
    },
    {
      name: 'of the driver',
      body: asDriver,
      rows: same('401 401  401 401  400 404 404  201 404 404 404 404 404  404', '201'),
    },
  ],
  createGuestDispute: [
    {
      body: (fixture, target) => ({ ...dispute(fixture, target), guestPhone: target.senderPhone }),
      rows: same('401 401  201 404  403 403 403  403 403 403 403 403 403  403', '403'),
    },
    {
      name: 'of the driver',
      body: (fixture, target) => ({ ...asDriver(fixture, target), guestPhone: target.senderPhone }),
      rows: { Accepted: '401 401  400 404  403 403 403  403 403 403 403 403 403  403' },
    },
  ],
} satisfies Record<string, Probe[]>

function approvable(row: Row, carrier: string) {
  return { Delivered: row, Carried: forCarrier(row, carrier) }
}
