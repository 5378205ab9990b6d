import * as z from 'zod/mini'
import { DisputeType } from '#domain/dispute.ts'
import { maxEmail, maxName, maxText } from '#domain/draft.ts'
import { IdType, idNumberProblem } from '#domain/driver.ts'
import { isValidOffer } from '#domain/money.ts'
import { isPhone, normalizePhone } from '#domain/phone.ts'

/*
 * What a caller may send (spec §3 and §5). A refinement's message is a sentence for people;
 * the server answers 400 with the first one.
 */

const requiredText = (what: string, most = maxText) =>
  z.string(`${what} is required.`).check(
    z.trim(),
    z.minLength(1, `${what} is required.`),
    z.maxLength(most, `${what} is too long.`),
    z.refine((text) => !text.includes('\u0000'), `${what} has a character that cannot be kept.`),
  )

export const Phone = z
  .string('Phone number must be exactly 10 digits.')
  .check(z.refine(isPhone, 'Phone number must be exactly 10 digits.'))

/** The two password calls also take the 233 form (interfaces: names and values). */
export const AnyPhone = z.pipe(
  z.pipe(z.string('Phone number must be exactly 10 digits.'), z.transform(normalizePhone)),
  Phone,
)

export const Name = requiredText('Name', maxName)

const Email = requiredText('Email', maxEmail).check(
  z.refine(
    (text) => /^[^\s@]+@[^\s@]+\.[^\s@]+$|^[^\s@]+@localhost$/.test(text),
    'Email is not an address.',
  ),
)

/** Eight characters at least; no more than 200, so that hashing one stays cheap. */
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
      const say = (path: string, message: string) =>
        context.addIssue({ code: 'custom', path: [path], message, input: signup })
      if (!signup.idType || !signup.idNumber || !signup.idPhoto)
        return say('idType', 'Please fill out all ID verification fields.')
      const problem = idNumberProblem(signup.idType, signup.idNumber)
      if (problem) say('idNumber', problem)
    }),
  )

/** Spec §7: `code` has six digits (interfaces); anything else is simply a wrong code. */
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
      z.refine(
        isValidOffer,
        'The offer must be above 0, at most 100000, with at most two decimals.',
      ),
    ),
  itemPhoto: requiredText('Item photo'),
}
type Route = { pickupZone: string; dropoffZone: string }
const zonesDiffer = z.refine<Route>(
  (asked) => asked.pickupZone !== asked.dropoffZone,
  'Pickup and drop-off zones cannot be the same.',
)

export const DeliveryRequest = z.object(request).check(zonesDiffer)

/**
 * `guestSecret` is optional and ours: random text only this device knows. It is part of the request,
 * so a driver who learnt the delivery's id and every other detail still cannot replay the
 * create to be given its answer (and with it the guest token).
 */
export const GuestDeliveryRequest = z
  .object({
    ...request,
    senderName: requiredText('Sender name', maxName),
    senderPhone: Phone,
    guestSecret: z.optional(z.string().check(z.maxLength(200))),
  })
  .check(zonesDiffer)

const dispute = {
  deliveryId: requiredText('Delivery'),
  issue: requiredText('A description of the issue'),
  type: DisputeType,
  priority: z._default(z.literal('medium'), 'medium'),
}
export const DisputeRequest = z.object(dispute)
export const GuestDisputeRequest = z.object({ ...dispute, guestPhone: Phone })

export const Resolution = z.object({
  status: z.literal('resolved', 'A dispute can only be resolved.'),
  resolution: requiredText('A resolution'),
})
