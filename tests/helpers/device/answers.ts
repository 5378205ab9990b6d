import { serverVersionHeader } from '#contract/version.ts'
import { person } from './device.ts'

const at = '2026-03-01T10:00:00.000Z'

/** A delivery as our server sends it. */
export const deliveryAnswer = (ID: string, more: object = {}) => ({
  ID,
  status: 'Accepted',
  itemDescription: 'Laptop',
  pickupZone: 'Osu',
  dropoffZone: 'Tema',
  offer: 60,
  isGuestDelivery: false,
  createdAt: at,
  updatedAt: at,
  ...more,
})

/** A job of the driver who is logged in. */
export const jobAnswer = (ID: string, more: object = {}) =>
  deliveryAnswer(ID, { driver: { id: 'u1', name: 'u1' }, ...more })

const user = person('u1', 'sender')
const dispute = { ID: 'x1', DeliveryID: 'd1', issue: 'It is broken.', status: 'open' }
const application = { ID: 'u3', Status: 'pending', User: { Name: 'Kofi', Email: 'k@example.com' } }
const stats = {
  totalUsers: 1,
  totalDeliveries: 1,
  totalRevenue: 1,
  pendingDeliveries: 1,
  pendingDrivers: 1,
}

/** What our server answers to each read of the table, by its path below `/api`. `viewer`: who is logged in. */
export const answersFor = (viewer: object): Record<string, object> => ({
  '/zones': { zones: [{ ID: 'z1', Name: 'Osu' }] },
  '/items': { items: [{ ID: 'i1', Name: 'Laptop' }] },
  '/config': { imageUploadUrl: '/upload', imageUploadPreset: 'p', imageHost: 'http://soma.test' },
  '/users/me': { user: viewer, role: (viewer as { role: string }).role },
  '/driver/status': { status: 'approved' },
  '/sessions': { sessions: [{ id: 's1', createdAt: at, usedAt: at, device: '', current: true }] },
  '/sender/deliveries': { deliveries: [deliveryAnswer('d2')] },
  '/driver/my-deliveries': { deliveries: [jobAnswer('d3')] },
  '/driver/available-deliveries': { deliveries: [deliveryAnswer('d4', { status: 'Pending' })] },
  '/deliveries/d1': { delivery: deliveryAnswer('d1') },
  '/admin/stats': { stats },
  '/admin/trends': { trends: { days: [] } },
  '/admin/activities': {
    activities: [{ ID: 'a1', Type: 'user_signup', Message: 'Ama', CreatedAt: at }],
  },
  '/admin/deliveries': { deliveries: [deliveryAnswer('d1')] },
  '/admin/users': { users: [user] },
  '/admin/users/u1': { user, deliveries: [deliveryAnswer('d1')] },
  '/admin/drivers/with-details': { drivers: [application] },
  '/admin/disputes': { disputes: [dispute] },
  '/admin/disputes/x1': { dispute, delivery: deliveryAnswer('d1') },
  '/admin/money': {
    money: { held: 1, owed: 2, paidOut: 3, refunded: 4, fees: 5, differences: [] },
    cameIn: 15,
    days: [{ day: '2026-11-21', held: 15, paidOut: 3, refunded: 4, fees: 5 }],
  },
  '/admin/payouts': {
    payouts: [
      {
        ID: 'p1',
        DeliveryID: 'd1',
        driver: { id: 'u3', name: 'Yaw' },
        amount: 40,
        status: 'waiting',
        createdAt: at,
      },
    ],
  },
  '/admin/audit': {
    entries: [{ ID: 'e1', At: at, Actor: 'a', Action: 'login', Subject: '', Address: '' }],
  },
})

/** An answer with the mark of our server. */
export const ours = (body: object, status = 200, headers = {}): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', [serverVersionHeader]: '13', ...headers },
  })
