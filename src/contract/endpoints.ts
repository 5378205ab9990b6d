import * as z from 'zod/mini'
import { Delivery } from '#domain/deliveries/delivery.ts'
import { Earnings } from '#domain/payouts/earnings.ts'
import { Role, User } from '#domain/users/user.ts'
import { type Endpoint, get, message, oneDelivery, send } from '#operations/endpoint.ts'
import { operationEndpoints } from '#operations/index.ts'
import { reads } from './reads.ts'

const session = z.object({ user: User, token: z.string(), role: Role })

/**
 * The endpoint table: every call of the API. Each operation brings its own line; here is what cannot be queued. The
 * schemas of what a call sends have the same names in `queries.ts`.
 */
export const endpoints = {
  ...reads,
  // No phone asks for it: each sums up the deliveries that it has, also offline (R182).
  driverEarnings: get('/driver/earnings', 'driver', z.object({ earnings: Earnings })),
  // account
  login: send('POST', '/login', 'anyone', session),
  signup: send('POST', '/signup', 'anyone', session, 201),
  logout: send('POST', '/logout', 'person', message),
  applyAsDriver: send('POST', '/driver/application', 'person', z.object({ user: User })),
  changeProfile: send('PATCH', '/users/me', 'person', z.object({ user: User })),
  // Everything that is held about the caller, by table (R215).
  myData: get(
    '/users/me/data',
    'person-or-guest',
    z.object({ data: z.record(z.string(), z.array(z.unknown())) }),
  ),
  deleteMe: send('DELETE', '/users/me', 'anyone-or-caller', message),
  requestReset: send('POST', '/password/request-reset', 'anyone', message),
  resetPassword: send('POST', '/password/reset', 'anyone', message),
  confirmPhone: send('POST', '/verify/confirm', 'anyone-or-person', message),
  resendCode: send('POST', '/verify/resend', 'anyone-or-person', message),
  changePayout: send('PUT', '/driver/payout', 'driver', message),
  confirmPayout: send('POST', '/driver/payout/confirm', 'driver', z.object({ user: User })),
  // colleagues (R209)
  inviteColleague: send('POST', '/admin/invitations', 'admin', z.object({ link: z.string() })),
  acceptInvitation: send('POST', '/invitations/:secret', 'anyone', session),
  changeColleague: send('PATCH', '/admin/colleagues/:id', 'admin', z.object({ user: User })),
  removeColleague: send('DELETE', '/admin/colleagues/:id', 'admin', message),
  // the second factor of a login (R213)
  startSecondFactor: send(
    'POST',
    '/second-factor',
    'office',
    z.object({ secret: z.string(), link: z.string() }),
  ),
  confirmSecondFactor: send(
    'POST',
    '/second-factor/confirm',
    'office',
    z.object({ codes: z.array(z.string()) }),
  ),
  endSecondFactor: send('DELETE', '/second-factor', 'office', message),
  removeSecondFactor: send('DELETE', '/admin/colleagues/:id/second-factor', 'admin', message),
  // request keys
  withdrawRequest: send(
    'POST',
    '/requests/:key/withdraw',
    'anyone-or-caller',
    z.object({
      state: z.enum(['done', 'withdrawn']),
      /** Of the request that took effect: its stored response. */
      status: z.optional(z.number()),
      body: z.optional(z.unknown()),
    }),
  ),
  knownRequests: send(
    'POST',
    '/requests/known',
    'person-or-guest',
    z.object({ unknown: z.array(z.string()) }),
  ),
  recoverGuest: send('POST', '/guest/recover', 'anyone', message),
  confirmGuestRecovery: send(
    'POST',
    '/guest/recover/confirm',
    'anyone',
    z.object({ deliveries: z.array(z.object({ delivery: Delivery, guestToken: z.string() })) }),
  ),
  payDelivery: send('POST', '/deliveries/:id/payment', 'person-or-guest', oneDelivery),
  // notifications
  subscribe: send('POST', '/notifications/subscriptions', 'person-or-guest', message, 201),
  unsubscribe: send('DELETE', '/notifications/subscriptions', 'person-or-guest', message),
  confirmNotification: send('POST', '/notifications/receipts', 'anyone', message),
  // The router takes the first that fits: fixed paths stand before those with a parameter.
  ...operationEndpoints,
} satisfies Record<string, Endpoint>

export type Op = keyof typeof endpoints
/** The body of a call's response. */
export type ResponseOf<O extends Op> = z.infer<(typeof endpoints)[O]['response']>
