import type { Op } from '#contract/endpoints.ts'
import { photo, present, pushService } from '../../../helpers/server/server.ts'
import type { AccessFixture } from '../access-fixture.ts'
import { deliveryCalls } from './access-deliveries.ts'
import { admins, anyone, created, notThere, type Probe, people, unknownId } from './access-rows.ts'

/* The response of each call to each role: a call without an entry does not compile. */

let applicants = 0
const newPerson = {
  name: 'Somebody New',
  email: 'somebody.new@mail.test',
  password: 'a long new password',
  phone_number: '0557000002',
  role: 'sender',
}
const refusedPeople = people.replaceAll('200', '400')
const ownPhone = (fixture: AccessFixture, token: string | undefined) =>
  fixture.everybody.find((person) => person.token === token)?.phone ||
  fixture.unverifiedSender.phone

const session = async ({ server }: AccessFixture, token: string | undefined) => {
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
  applyAsDriver: [
    {
      body: () => ({
        idType: 'passport',
        // Each caller has one of their own (R201).
        idNumber: `AB${1_000_000 + ++applicants}`,
        idPhoto: photo,
      }),
      rows: '401 401  401 401  200 200 200  409 409 409 200 200 409  403',
    },
  ],
  changeProfile: [
    {
      body: (_, __, token = 'nobody') => ({
        firstName: 'New',
        lastName: 'Name',
        email: `${token.slice(-20)}@new.test`,
      }),
      rows: people,
    },
    {
      name: 'with a wrong password',
      body: () => ({ password: { old: 'not the one', new: 'another long password' } }),
      rows: people.replaceAll('200', '403'),
    },
  ],
  myData: [
    {
      rows: people.replace('401 401  401 401', '401 401  200 200'),
      // Their own; that it is no other's is tested with the call.
      reveals: ({ idNumbers }) => [...idNumbers.values()],
    },
  ],
  deleteMe: [
    {
      body: ({ everybody }, _, token) => ({
        password: everybody.find((person) => person.token === token)?.password,
      }),
      // Of the others a delivery, a job or a payout is open.
      rows: '401 401  409 409  409 200 200  409 200 200 200 409 200  403',
    },
    {
      name: 'with a wrong password',
      body: () => ({ password: 'not the one' }),
      rows: '401 401  409 409  403 403 403  403 403 403 403 403 403  403',
    },
  ],
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
      body: (fixture, _, token) => ({ phone_number: ownPhone(fixture, token), code: '000000' }),
      rows: anyone.replaceAll('200', '400'),
    },
  ],
  resendCode: [
    { body: (fixture, _, token) => ({ phone_number: ownPhone(fixture, token) }), rows: anyone },
  ],
  sessions: [{ rows: people }],
  endSession: [
    { name: 'of their own', id: (fixture, _, token) => session(fixture, token), rows: people },
    {
      name: 'of another',
      id: (fixture) => session(fixture, fixture.spare.token),
      rows: notThere(people),
    },
    { name: 'of nobody', id: unknownId, rows: notThere(people) },
  ],
  zones: [{ rows: anyone }],
  items: [{ rows: anyone }],
  // Without its zones.
  priceGuide: [{ rows: anyone.replaceAll('200', '400') }],
  config: [{ rows: anyone }],
  subscribe: [
    {
      body: (_, __, token = 'nobody') => ({
        endpoint: `${pushService}/${token}`,
        keys: { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) },
      }),
      rows: created(people).replace('401 401  401 401', '401 401  201 201'),
    },
  ],
  unsubscribe: [{ rows: people.replace('401 401  401 401', '401 401  200 200') }],
  confirmNotification: [{ body: () => ({ id: unknownId() }), rows: notThere(anyone) }],
  changeNotifications: [
    { body: () => ({ kinds: { delivered: true } }), rows: people.replace(/200$/, '400') },
    { name: 'of no kind there is', body: () => ({ kinds: { x: true } }), rows: refusedPeople },
    {
      name: 'with routes',
      body: () => ({ routes: [] }),
      rows: '401 401  401 401  403 403 403  200 200 200 200 200 200  403',
    },
  ],
  withdrawRequest: [
    {
      id: unknownId,
      body: () => ({}),
      rows: people.replace('401 401  401 401', '401 401  200 200'),
    },
    {
      name: "of a guest's create",
      id: unknownId,
      body: () => ({ guestSecret: 's' }),
      rows: anyone,
    },
  ],
  knownRequests: [
    {
      body: () => ({ keys: [unknownId()] }),
      rows: people.replace('401 401  401 401', '401 401  200 200'),
    },
  ],
  ...deliveryCalls,
  adminStats: [{ rows: admins }],
  adminTrends: [{ rows: admins }],
  adminActivities: [{ rows: admins }],
  // Without the text that is searched.
  adminSearch: [{ rows: admins.replaceAll('200', '400') }],
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
  reportFor: [
    {
      id: ({ targets }) => present(targets[0]).id,
      body: () => ({ side: 'sender', issue: 'Called us' }),
      rows: created(admins),
    },
    {
      name: 'that is not there',
      id: unknownId,
      body: () => ({ side: 'sender', issue: 'Called us' }),
      rows: notThere(admins),
    },
  ],
  suspendUser: [
    {
      id: ({ spare }) => spare.user.ID,
      body: () => ({ suspended: true, reason: 'Parcels were lost' }),
      rows: admins,
    },
    {
      name: 'that is not there',
      id: unknownId,
      body: () => ({ suspended: true, reason: 'Parcels were lost' }),
      rows: notThere(admins),
    },
  ],
  addNote: [
    {
      id: ({ spare }) => spare.user.ID,
      body: () => ({ text: 'Called, and did not answer' }),
      rows: created(admins),
    },
  ],
  adminMoney: [{ rows: admins }],
  adminPayouts: [{ rows: admins }],
  settlePayout: [
    {
      id: ({ payoutId }) => payoutId,
      body: () => ({ status: 'paid', reference: 'MP 1' }),
      rows: admins,
    },
    {
      name: 'that is not there',
      id: unknownId,
      body: () => ({ retry: true }),
      rows: notThere(admins),
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
  changeZone: [
    {
      id: (fixture) => firstOf(fixture, 'zones'),
      body: () => ({ lat: 5.6, lng: -0.2, roads: [{ to: 'Tema', km: 12.5 }] }),
      rows: admins,
    },
    {
      name: 'with a road to no zone',
      id: (fixture) => firstOf(fixture, 'zones'),
      body: () => ({ roads: [{ to: 'Nowhere', km: 1 }] }),
      rows: admins.replaceAll('200', '400'),
    },
    { name: 'of none', id: unknownId, body: () => ({ roads: [] }), rows: notThere(admins) },
  ],
  removeZone: [
    { id: (fixture) => firstOf(fixture, 'zones'), rows: admins },
    {
      name: 'that deliveries under way use',
      id: (fixture) => firstOf(fixture, 'zones', 'Osu'),
      rows: admins.replaceAll('200', '409'),
    },
  ],
  changeItem: [
    { id: (fixture) => firstOf(fixture, 'items'), body: () => ({ place: 3 }), rows: admins },
    { name: 'of none', id: unknownId, body: () => ({ place: 3 }), rows: notThere(admins) },
  ],
  adminItems: [{ rows: admins }],
  adminAudit: [{ rows: admins }],
  addItem: [{ body: () => ({ name: 'A new item' }), rows: created(admins) }],
  adminDevice: [
    { id: ({ supportCode }) => supportCode, rows: admins },
    { name: 'of nobody', id: () => '00000000', rows: notThere(admins) },
  ],
  removeItem: [{ id: (fixture) => firstOf(fixture, 'items', 'Keys'), rows: admins }],
  adminSettings: [{ rows: admins }],
  changeSettings: [{ body: () => ({ announcement: 'We are open.' }), rows: admins }],
  adminColleagues: [{ rows: admins }],
  inviteColleague: [
    {
      body: (_, __, token = 'nobody') => ({
        email: `${token.slice(-20)}@new.test`,
        role: 'support',
      }),
      rows: admins,
    },
  ],
  acceptInvitation: [
    {
      name: 'that nobody made',
      id: () => 'x'.repeat(43),
      body: () => ({ name: 'Yaa Boateng', password: 'a long password' }),
      rows: notThere(anyone),
    },
  ],
  changeColleague: [
    {
      name: 'of nobody',
      id: unknownId,
      body: () => ({ role: 'support' }),
      rows: notThere(admins),
    },
  ],
  startSecondFactor: [{ body: ({ admin }) => ({ password: admin.password }), rows: admins }],
  confirmSecondFactor: [
    { body: () => ({ code: '000000' }), rows: admins.replaceAll('200', '403') },
  ],
  endSecondFactor: [
    {
      body: ({ admin }) => ({ password: admin.password, code: '000000' }),
      rows: admins,
    },
  ],
  removeSecondFactor: [{ name: 'of nobody', id: unknownId, rows: notThere(admins) }],
  removeColleague: [{ name: 'of nobody', id: unknownId, rows: notThere(admins) }],
}

/** The ID of the first on the list, or of the one that is called so. */
async function firstOf({ server }: AccessFixture, op: 'zones' | 'items', name?: string) {
  const answer = await server.raw('GET', `/${op}`)
  const all: { ID: string; Name: string }[] = (await answer.json())[op]
  return present(all.find(({ Name }) => name === undefined || Name === name)).ID
}
