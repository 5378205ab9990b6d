import { expect, test } from 'vitest'
import { endpoints, type Op } from '#contract/endpoints.ts'
import { requestSchemaOf } from '#contract/queries.ts'

/** Fields by which a body could say who its caller is or on which side they are. */
const isClaim =
  /^(sender|driver|guest|reporter|report(ed)?By|user|admin|actor|author|owner|by|as|on|role|type|side|party|verified)/i

/** The only ones, and what the server holds them against: a new one needs a reason here, and a test of it. */
const checked: Record<string, string> = {
  'inviteColleague.role': 'what somebody else is to be; only an admin says it (R209)',
  'changeColleague.role': 'what somebody else is to be; only an admin says it (R212)',
  'signup.role': 'what the new account is to be; an admin never',
  'createGuestDelivery.senderName': 'a guest has no account: this is the request',
  'createGuestDelivery.senderPhone': 'a guest has no account: this is the request',
  'createGuestDelivery.guestSecret': 'a secret that only proves a repeat (R71)',
  'changeGuestStatus.guestPhone': 'compared with the number of the request (wrong-phone)',
  'createGuestDispute.guestPhone': 'compared with the number of the request (wrong-phone)',
  'contestPickUp.guestPhone': 'compared with the number of the request (wrong-phone)',
  'confirmReturn.guestPhone': 'compared with the number of the request (wrong-phone)',
  'rateDelivery.guestPhone': 'compared with the number of the request (wrong-phone)',
  'raiseOffer.guestPhone': 'compared with the number of the request (wrong-phone)',
  'renewCode.guestPhone': 'compared with the number of the request (wrong-phone)',
  'payDelivery.guestPhone': 'compared with the number of the request (wrong-phone)',
  'recoverGuest.guestPhone': 'proved by a code that is sent to it',
  'confirmGuestRecovery.guestPhone': 'proved by a code that was sent to it',
  'deleteMe.guestPhone': 'proved by a code that was sent to it',
  'confirmPhone.type': 'read by older clients, not by this server',
  'createDispute.type': 'refused where it is not the side of the caller (type)',
  'createGuestDispute.type': 'refused where it is not the side of the caller (type)',
  'withdrawRequest.guestSecret': 'compared with that of the request (not-found)',
  'assignDriver.driver': 'whom an admin gives the job to',
  'reportFor.side': 'whom an admin reports it for',
  'resolveDispute.driverShare': 'money, not a person',
}

const fieldsOf = (op: Op): string[] => {
  const { def } = requestSchemaOf(op).body?._zod ?? {}
  return def && 'shape' in def ? Object.keys(Object(def.shape)) : []
}

test('R128: no body says who its caller is without a check', () => {
  const claims = (Object.keys(endpoints) as Op[]).flatMap((op) =>
    fieldsOf(op)
      .filter((field) => isClaim.test(field))
      .map((field) => `${op}.${field}`),
  )
  expect(claims.sort()).toEqual(Object.keys(checked).sort())
})
