/** Every reason for a refusal, with the default sentence for people. Code decides by the reason (R76). */
export const reasonTexts = {
  // the request itself
  malformed: 'The request could not be read.',
  invalid: 'Some of the details are not right.',
  'too-large': 'That is too large to send.',
  'not-an-image': 'That file is not a photo we can use.',
  'not-json': 'Send this as application/json.',
  'cross-site': 'Another website cannot do this. Please open the app itself.',
  'not-found': 'Not found, or you have no access to it.',
  'method-not-allowed': 'This cannot be done here.',
  'key-reused': 'This request was already sent with other details.',
  withdrawn: 'This request was taken back before it arrived.',
  'too-many': 'Too many tries. Please wait a little and try again.',
  internal: 'Something went wrong on our side. Please try again.',
  unavailable: 'The service is busy. Please try again in a moment.',
  update: 'Update the app to continue.',
  skipped: 'What this depends on did not go through.',
  lost: 'This was lost on our side. Please send it again.',
  // the caller
  'no-session': 'Please log in first.',
  moved: 'Opened on another phone. Get it back by SMS.',
  'wrong-login': 'Invalid email or password.',
  'wrong-password': 'Your current password is not right.',
  'not-allowed': 'You are not allowed to do this.',
  unverified: 'Please verify your phone number first.',
  'not-a-driver': 'Only drivers can do this.',
  'driver-not-approved': 'Your driver application is not approved yet.',
  open: 'Something of yours is still open. Finish it first, or contact support.',
  suspended: 'Your account is suspended.',
  'second-factor': 'Enter the code of your authenticator app.',
  support: 'Only an admin can do this.',
  invitation: 'This invitation is no longer valid. Ask an admin for a new one.',
  'wrong-phone': 'The phone number does not match this delivery.',
  // deliveries
  taken: 'Another driver got this job first.',
  'own-request': 'You cannot carry a delivery of your own number.',
  accepts: 'You gave this job back too often. Leave it to another driver.',
  attempts: 'That is enough attempts. Return the parcel, or report an issue.',
  'active-job': 'You already have an active delivery. Please complete it first.',
  'driver-busy': 'This driver has a job already.',
  'not-approved': 'This person is not an approved driver.',
  'active-delivery': 'You already have an active delivery.',
  'wrong-status': 'The delivery is no longer at that step.',
  'wrong-code': 'Wrong code. Check it with the recipient.',
  'code-locked':
    'Too many wrong codes. Scan the recipient’s QR code, or ask the sender for a new code.',
  codes: 'This delivery had three new codes already. Show the QR code, or contact support.',
  wait: 'Wait a little longer before you return the parcel.',
  disputed: 'An issue was reported. Support decides about the payment.',
  rated: 'You have rated this delivery already.',
  type: 'A report is made for the side that you are on.',
  'licence-expired': 'Your courier licence has expired. Enter the new one to accept jobs.',
  'unknown-zone': 'That zone is not on the list.',
  paused: 'No new requests are taken right now. Please try again later.',
  'same-zones': 'Pickup and drop-off zones cannot be the same.',
  'photo-not-hosted': 'Please upload a photo of your item.',
  'id-photo-not-hosted': 'Please upload a valid ID photo.',
  'open-requests':
    'This number has five open requests. Confirm that it is yours under “Find my deliveries”, or wait until one ends.',
  // accounts and lists
  'email-taken': 'User with this email already exists.',
  'phone-taken': 'This phone number already belongs to another account.',
  'wrong-sms-code': 'That code is not right or no longer valid.',
  'name-taken': 'That name is already on the list.',
  'in-use': 'Deliveries under way use it.',
  'id-number': 'This ID number belongs to another account. Contact support if it is yours.',
  yourself: 'You cannot do this to your own account.',
} as const

export type Reason = keyof typeof reasonTexts

/** A rule forbids the request, and sending it again changes nothing. `message` is for people, `reason` for code (R76). */
export class Refusal extends Error {
  readonly reason: Reason
  constructor(reason: Reason, message: string = reasonTexts[reason]) {
    super(message)
    this.name = 'Refusal'
    this.reason = reason
  }
}

/** Whether a value from the wire is one of the known reasons. */
export const isReason = (text: unknown): text is Reason =>
  typeof text === 'string' && Object.hasOwn(reasonTexts, text)
