import * as z from 'zod/mini'
import { maxEmail, maxName, maxText } from '#domain/deliveries/draft.ts'
import { IdType } from '#domain/users/driver.ts'
import { idNumberProblem } from '#domain/users/id-numbers.ts'
import { Network } from '#domain/users/payout-number.ts'
import { normalizePhone } from '#domain/users/phone.ts'
import { OfficeRole } from '#domain/users/user.ts'
import { anyText, guestPhone, Name, Phone, requiredText } from '#operations/fields.ts'
import { Payer } from '#operations/sending/delivery-request.ts'

/*
 * Schemas of the request bodies of calls that are not queued. A refinement's message is a sentence for people; the server responds 400
 * with the first one.
 */

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The two password calls also take the form that begins with 233 (R8). */
export const AnyPhone = z.pipe(
  z.pipe(z.string('Phone number must be exactly 10 digits.'), z.transform(normalizePhone)),
  Phone,
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

/** Of an authenticator app, or a recovery code (R213). */
export const FactorCode = z
  .string('Code is required.')
  .check(z.maxLength(40, 'That code is too long.'))

/** `email`: or the phone number that the account has confirmed, in any spelling (R7). */
export const Login = z.object({
  email: z.string('Email is required.').check(z.maxLength(maxText, 'Email is too long.')),
  password: z.string('Password is required.').check(z.maxLength(200, 'Password is too long.')),
  code: z.optional(FactorCode),
})

/** What begins the second factor (R213). */
export const FactorStart = z.object({ password: Login.shape.password })

/** What ends the second factor (R214). */
export const FactorEnd = z.object({ password: Login.shape.password, code: FactorCode })

/** What a driver gives beside an account (R6). */
export const DriverFields = z
  .object({
    idType: IdType,
    idNumber: z.string('ID number is required.').check(z.maxLength(maxText)),
    idPhoto: z.string('ID photo is required.').check(z.maxLength(maxText)),
  })
  .check(
    z.superRefine(({ idType, idNumber }, context) => {
      const message = idNumberProblem(idType, idNumber)
      if (message)
        context.addIssue({ code: 'custom', path: ['idNumber'], message, input: idNumber })
    }),
  )

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

/** Who is invited to the office, and what they make of it (R209). */
export const NewInvitation = z.object({ email: Email, role: OfficeRole })
export const InvitationReply = z.object({
  name: requiredText('Name', maxName),
  password: Password,
})

/** What a person changes of their account; what is missing stays (R144). */
export const ProfileChange = z
  .object({
    firstName: z.optional(requiredText('First name', maxName)),
    lastName: z.optional(anyText('Last name', maxName)),
    email: z.optional(Email),
    password: z.optional(
      z.object({
        old: z
          .string('The current password is required.')
          .check(z.maxLength(200, 'Password is too long.')),
        new: Password,
      }),
    ),
  })
  .check(
    z.refine(
      (change) => Object.values(change).some((value) => value !== undefined),
      'Nothing to change.',
    ),
  )

/** `code` has six digits (R62); any other text is a wrong code, not a malformed request. */
export const SmsCode = z.object({
  phone_number: Phone,
  code: z.string('Code is required.').check(z.maxLength(20, 'That code is too long.')),
  type: z.optional(z.string().check(z.maxLength(100))),
})

/** Where a driver wants to be paid, and the code that confirms the number (R175). */
export const PayoutRequest = z.object({
  phone: AnyPhone,
  network: z.enum(Network.options, 'Network must be mtn, vod or atl.'),
  name: Name,
})
export const PayoutCode = z.object({ code: SmsCode.shape.code })

export const NewPassword = z.object({
  phone_number: AnyPhone,
  code: z.string('Code is required.').check(z.maxLength(20, 'That code is too long.')),
  new_password: Password,
})

/** `guestSecret`: of the guest's create that is taken back, which was sent without a token (R154). */
export const Withdrawal = z.object({ guestSecret: z.optional(z.string().check(z.maxLength(200))) })

const notKeys = 'Keys must be 1 to 500 UUIDs.'
export const RequestKeys = z.object({
  keys: z
    .array(z.string(notKeys).check(z.regex(uuidPattern, notKeys), z.toLowerCase()), notKeys)
    .check(z.minLength(1, notKeys), z.maxLength(500, notKeys)),
})

const GuestCode = z.string('Code is required.').check(z.maxLength(20, 'That code is too long.'))

/** `erase`: the code is for a deletion, and so also for deliveries that ended long ago (R216). */
export const GuestRecovery = z.object({ guestPhone: Phone, erase: z.optional(z.boolean()) })
export const GuestRecoveryCode = z.object({ guestPhone: Phone, code: GuestCode })

/**
 * What proves that it is theirs to delete (R216): an account's password, or the code by SMS of a guest without a token. A
 * guest's token needs nothing else.
 */
export const AccountDeletion = z
  .object({
    password: z.optional(z.string().check(z.maxLength(200, 'Password is too long.'))),
    guestPhone: z.optional(Phone),
    code: z.optional(GuestCode),
  })
  .check(
    z.refine(
      ({ guestPhone, code }) => (guestPhone === undefined) === (code === undefined),
      'A number needs its code.',
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

/** The ID that came with a message which was shown (R119). */
export const NotificationReceipt = z.object({ id: z.uuid('The receipt could not be read.') })

/** Tries a payment again, or hands in the voucher that the payer's network asks for (R176). */
export const PaymentTry = z
  .object({
    payer: z.optional(Payer),
    otp: z.optional(
      z
        .string('The voucher must be a text.')
        .check(z.regex(/^\d{4,10}$/, 'The voucher has 4 to 10 digits.')),
    ),
    ...guestPhone,
  })
  .check(
    z.refine(
      ({ payer, otp }) => payer === undefined || otp === undefined,
      'A voucher belongs to the prompt that was sent: it comes without a payer.',
    ),
  )
