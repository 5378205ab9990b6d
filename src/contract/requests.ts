import * as z from 'zod/mini'
import { DisputeType } from '#domain/deliveries/dispute.ts'
import { maxEmail, maxName, maxText } from '#domain/deliveries/draft.ts'
import { AttemptReason, DecisionKind } from '#domain/deliveries/exits.ts'
import { HandoverSecret, Sha256 } from '#domain/deliveries/handover.ts'
import { Place } from '#domain/deliveries/place.ts'
import { maxRatingWords } from '#domain/deliveries/rating.ts'
import { isAmount } from '#domain/money.ts'
import { IdType } from '#domain/users/driver.ts'
import { idNumberProblem } from '#domain/users/id-numbers.ts'
import { isDay } from '#domain/users/licence.ts'
import { hasUnseen } from '#domain/users/name.ts'
import { isPhone, normalizePhone } from '#domain/users/phone.ts'

/*
 * Schemas of request bodies. A refinement's message is a sentence for people; the server responds 400
 * with the first one.
 */

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const requiredText = (what: string, maxLength = maxText) =>
  z.string(`${what} is required.`).check(
    z.trim(),
    z.minLength(1, `${what} is required.`),
    z.maxLength(maxLength, `${what} is too long.`),
    z.refine((text) => !text.includes('\u0000'), `${what} has a character that cannot be kept.`),
  )

/** Words that may be left out; empty ones count as none. */
const optionalText = (what: string, maxLength = maxText) =>
  z.optional(
    z.pipe(
      z.string(`${what} must be a text.`).check(
        z.trim(),
        z.maxLength(maxLength, `${what} is too long.`),
        z.refine(
          (text) => !text.includes('\u0000'),
          `${what} has a character that cannot be kept.`,
        ),
      ),
      z.transform((text: string) => text || undefined),
    ),
  )

export const Phone = z
  .string('Phone number must be exactly 10 digits.')
  .check(z.refine(isPhone, 'Phone number must be exactly 10 digits.'))

/** The two password calls also take the form that begins with 233 (R8). */
export const AnyPhone = z.pipe(
  z.pipe(z.string('Phone number must be exactly 10 digits.'), z.transform(normalizePhone)),
  Phone,
)

/** Of a zone or an item type. */
export const Name = requiredText('Name', maxName).check(
  z.refine((name) => !hasUnseen(name), 'A name cannot have characters that are not seen.'),
)

const Email = requiredText('Email', maxEmail).check(
  z.refine(
    (text) => /^[^\s@]+@[^\s@]+\.[^\s@]+$|^[^\s@]+@localhost$/.test(text),
    'Email is not an address.',
  ),
)

/** 8 to 200 characters (R11); the upper limit keeps hashing cheap. */
const Password = z
  .string('Password is required.')
  .check(
    z.minLength(8, 'Password must be at least 8 characters.'),
    z.maxLength(200, 'Password is too long.'),
  )

export const Login = z.object({
  email: z.string('Email is required.').check(z.maxLength(maxText, 'Email is too long.')),
  password: z.string('Password is required.').check(z.maxLength(200, 'Password is too long.')),
})

export const Signup = z
  .object({
    name: requiredText('Name', maxName),
    email: Email,
    password: Password,
    phone_number: Phone,
    role: z.enum(['sender', 'driver'], 'Role must be sender or driver.'),
    idType: z.optional(IdType),
    idNumber: z.optional(z.string().check(z.maxLength(maxText))),
    idPhoto: z.optional(z.string().check(z.maxLength(maxText))),
  })
  .check(
    z.superRefine((signup, context) => {
      if (signup.role !== 'driver') return
      const fail = (path: string, message: string) =>
        context.addIssue({ code: 'custom', path: [path], message, input: signup })
      if (!signup.idType || !signup.idNumber || !signup.idPhoto)
        return fail('idType', 'Please fill out all ID verification fields.')
      const problem = idNumberProblem(signup.idType, signup.idNumber)
      if (problem) fail('idNumber', problem)
    }),
  )

/** `code` has six digits (R62); any other text is a wrong code, not a malformed request. */
export const SmsCode = z.object({
  phone_number: Phone,
  code: z.string('Code is required.').check(z.maxLength(20, 'That code is too long.')),
  type: z.optional(z.string().check(z.maxLength(100))),
})

export const NewPassword = z.object({
  phone_number: AnyPhone,
  code: z.string('Code is required.').check(z.maxLength(20, 'That code is too long.')),
  new_password: Password,
})

const request = {
  pickupZone: requiredText('Pickup zone'),
  dropoffZone: requiredText('Drop-off zone'),
  itemDescription: requiredText('Item description'),
  recipientName: requiredText('Recipient name', maxName),
  recipientPhone: Phone,
  offer: z
    .number('The offer must be a number.')
    .check(
      z.refine(isAmount, 'The offer must be above 0, at most 100000, with at most two decimals.'),
    ),
  itemPhoto: requiredText('Item photo'),
  /** SHA-256 of the hand-over's secret, and of the recipient's track token (R110, R111). */
  handoverHash: z.optional(Sha256),
  trackHash: z.optional(Sha256),
  pickupPlace: z.optional(Place),
  dropoffPlace: z.optional(Place),
}
type Route = { pickupZone: string; dropoffZone: string }
const zonesDiffer = z.refine<Route>(
  (route) => route.pickupZone !== route.dropoffZone,
  'Pickup and drop-off zones cannot be the same.',
)

export const DeliveryRequest = z.object(request).check(zonesDiffer)

/**
 * `guestSecret`: optional random text that only this phone knows. It is part of the stored request, so a
 * driver who knows the ID and every other detail cannot replay the create to get the guest token (R71).
 */
export const GuestDeliveryRequest = z
  .object({
    ...request,
    senderName: requiredText('Sender name', maxName),
    senderPhone: Phone,
    guestSecret: z.optional(z.string().check(z.maxLength(200))),
  })
  .check(zonesDiffer)

/** `guestSecret`: of the guest's create that is taken back, which was sent without a token (R154). */
export const Withdrawal = z.object({ guestSecret: z.optional(z.string().check(z.maxLength(200))) })

const notKeys = 'Keys must be 1 to 500 UUIDs.'
export const RequestKeys = z.object({
  keys: z
    .array(z.string(notKeys).check(z.regex(uuidPattern, notKeys), z.toLowerCase()), notKeys)
    .check(z.minLength(1, notKeys), z.maxLength(500, notKeys)),
})

const dispute = {
  deliveryId: requiredText('Delivery'),
  issue: requiredText('A description of the issue'),
  type: DisputeType,
  priority: z._default(z.literal('medium'), 'medium'),
}
export const DisputeRequest = z.object(dispute)
export const GuestDisputeRequest = z.object({ ...dispute, guestPhone: Phone })

/** Without a decision no money moves. `driverShare` in cedis, for a split (R107). */
export const Resolution = z.object({
  status: z.literal('resolved', 'A dispute can only be resolved.'),
  resolution: requiredText('A resolution'),
  decision: z.optional(
    z.enum(DecisionKind.def.entries, 'The decision must be release, refund, split or none.'),
  ),
  driverShare: z.optional(z.number('The driver’s share must be a number.')),
})

/** Either the five digits or the secret of the QR code (R25, R110). */
export const HandoverProof = z
  .object({
    code: z.optional(
      z.string('The code must be a text.').check(z.maxLength(100, 'That code is too long.')),
    ),
    handoverSecret: z.optional(HandoverSecret),
  })
  .check(
    z.refine(
      ({ code, handoverSecret }) => (code === undefined) !== (handoverSecret === undefined),
      'Please enter the delivery code',
    ),
  )

export const Release = z.object({ reason: requiredText('A reason') })

export const Attempt = z.object({
  reason: z.enum(
    AttemptReason.def.entries,
    'The reason must be absent, refused, wrong-place or unsafe.',
  ),
  note: optionalText('The note'),
  photo: optionalText('The photo'),
})

export const Return = z.object({ note: optionalText('The note') })

/** Why the sender says that the pick-up did not happen (R125). */
export const Contest = z.object({
  reason: requiredText('A reason'),
  guestPhone: z.optional(Phone),
})

/** A guest's token is enough; a phone that is sent must be theirs. */
export const ByGuest = z.object({ guestPhone: z.optional(Phone) })

export const RatingRequest = z.object({
  stars: z
    .int('Give 1 to 5 stars.')
    .check(z.minimum(1, 'Give 1 to 5 stars.'), z.maximum(5, 'Give 1 to 5 stars.')),
  words: optionalText('The words', maxRatingWords),
  guestPhone: z.optional(Phone),
})

export const GuestRecovery = z.object({ guestPhone: Phone })
export const GuestRecoveryCode = z.object({
  guestPhone: Phone,
  code: z.string('Code is required.').check(z.maxLength(20, 'That code is too long.')),
})

/** What a driver shows to senders (R114). A missing field stays; an empty one is removed. */
export const DriverCard = z.object({
  photo: z.optional(z.string().check(z.maxLength(maxText, 'The photo is too long.'))),
  licenceNumber: z.optional(
    z.string().check(z.trim(), z.maxLength(100, 'The licence number is too long.')),
  ),
  licenceExpires: z.optional(
    z
      .string()
      .check(
        z.refine(
          (day) => day === '' || isDay(day),
          'The expiry must be a day, such as 2027-03-31.',
        ),
      ),
  ),
})

/** An admin's decision: on the driver (R4), or on their changed licence (R139). */
export const DriverReview = z
  .object({
    status: z.optional(z.enum(['approved', 'rejected'])),
    licence: z.optional(z.enum(['accepted', 'refused'])),
  })
  .check(
    z.refine(
      ({ status, licence }) => (status === undefined) !== (licence === undefined),
      'Decide on the driver or on the licence.',
    ),
  )

/** A key or an authentication secret of a push subscription, as browsers give it: base64url. */
const PushKey = z
  .string()
  .check(z.regex(/^[\w-]{16,200}={0,2}$/, 'The subscription could not be read.'))

/** A browser that is to be told with the app closed (R117). */
export const SubscriptionRequest = z.object({
  endpoint: z.string().check(z.maxLength(1_000), z.url('The subscription could not be read.')),
  keys: z.object({ p256dh: PushKey, auth: PushKey }),
})

const Hour = z
  .number()
  .check(
    z.refine(
      (hour) => Number.isInteger(hour) && hour >= 0 && hour < 24,
      'An hour is a whole number from 0 to 23.',
    ),
  )
const ZoneOrAny = z.string().check(z.minLength(1), z.maxLength(200))

/** A change of what a person is told of (R121). */
export const NotificationChangeRequest = z
  .object({
    kinds: z.optional(z.record(z.string().check(z.maxLength(40)), z.boolean())),
    routes: z.optional(
      z.array(z.object({ from: ZoneOrAny, to: ZoneOrAny })).check(z.maxLength(50)),
    ),
    quiet: z.optional(z.object({ from: Hour, to: Hour })),
  })
  .check(
    z.refine(
      ({ kinds, routes, quiet }) =>
        kinds !== undefined || routes !== undefined || quiet !== undefined,
      'Nothing to change.',
    ),
  )

/** The ID that came with a message which was shown (R119). */
export const NotificationReceipt = z.object({ id: z.uuid('The receipt could not be read.') })
