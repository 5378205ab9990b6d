import type { Delivery, Status } from '#domain/deliveries/delivery.ts'
import type { User } from '#domain/users/user.ts'
import type { Entry } from '#store/entries/operations.ts'

/** Who acts on a delivery, as the model knows them: the guest who asked for it, or somebody with an account. */
export type Person = 'guest' | User

/** What is done: the operation, what its entry says, and when (ISO 8601). */
export type Done = Pick<Entry, 'op' | 'input' | 'occurredAt'>

type Step = {
  /** From which states, and to which. */
  from: readonly Status[]
  to?: Status
  may(person: Person, delivery: Delivery, at: string): boolean
  /** What it changes beside the status. */
  change?(delivery: Delivery, done: Done, person: Person): Partial<Delivery>
}

/** Milliseconds from the first attempt to the return (R103). */
const wait = 600_000
/** Milliseconds for which the money of a cancelled job is held (R123). */
const hold = 24 * 3_600_000
/** Milliseconds in which a driver may say that they were not paid (R171). */
const day = 24 * 3_600_000

/** The model's own table of the steps of a delivery, written from its rules and from nothing else. */
const steps: Record<string, Step> = {
  // R24, R134, R136
  acceptDelivery: {
    from: ['Pending'],
    to: 'Accepted',
    may: (person, delivery) =>
      mayDrive(person) && !isOwn(person, delivery) && givenBack(person, delivery) < 3,
    change: (_, __, person) => (person === 'guest' ? {} : { driver: contact(person) }),
  },
  // R25
  pickUpDelivery: { from: ['Accepted'], to: 'Picked Up', may: drivesIt },
  completeDelivery: { from: ['Picked Up'], to: 'Delivered', may: drivesIt },
  // R26, R108, R126
  approveDelivery: {
    from: ['Delivered'],
    to: 'Approved',
    may: (person, delivery) => sentIt(person, delivery) && !delivery.disputed,
    change: (_, { input }) =>
      'tip' in input ? { tip: input.tip, ...(input.paidBy ? { paidBy: input.paidBy } : {}) } : {},
  },
  // R171
  reportUnpaid: {
    from: ['Approved'],
    may: (person, { driver, disputed, payout, history = [] }, at) => {
      const approved = history.findLast(({ status }) => status === 'Approved')
      const isInTime = approved !== undefined && at <= later(approved.at, day)
      const isTheirs = person !== 'guest' && driver?.id === person.ID
      return isTheirs && isInTime && !disputed && payout?.status === 'paid'
    },
    change: () => ({ disputed: true, payout: { status: 'waiting' } }),
  },
  // R125
  contestPickUp: {
    from: ['Picked Up'],
    may: (person, delivery) => sentIt(person, delivery) && !delivery.contested,
    change: () => ({ contested: true, disputed: true }),
  },
  // R27, R123
  cancelDelivery: {
    from: ['Pending', 'Accepted'],
    to: 'Cancelled',
    may: sentIt,
    change: ({ driver }, { occurredAt }) =>
      driver ? { refund: 'held', refundDueAt: later(occurredAt, hold) } : {},
  },
  // R28, R124
  attachProof: {
    from: ['Picked Up', 'Delivered', 'Approved', 'Cancelled'],
    may: (person, delivery) =>
      drivesIt(person, delivery) && (isUnderWay(delivery) || isProofOwed(delivery)),
    change: () => ({ proofOfDelivery: '' }),
  },
  // R101
  releaseJob: {
    from: ['Accepted'],
    to: 'Pending',
    may: drivesIt,
    change: (delivery, done, person) => ({
      driver: undefined,
      incidents: withIncident(delivery, 'release', done, person),
    }),
  },
  // R102, R103, R134
  reportAttempt: {
    from: ['Picked Up'],
    may: (person, delivery) =>
      drivesIt(person, delivery) && !delivery.returning && (delivery.attempts ?? 0) < 10,
    change: (delivery, done, person) => ({
      attempts: (delivery.attempts ?? 0) + 1,
      incidents: withIncident(delivery, 'attempt', done, person),
      returnFrom: delivery.returnFrom ?? later(effectiveAt(delivery, done.occurredAt), wait),
    }),
  },
  // R104
  startReturn: {
    from: ['Picked Up'],
    may: (person, delivery, at) =>
      drivesIt(person, delivery) &&
      !delivery.returning &&
      delivery.returnFrom !== undefined &&
      [effectiveAt(delivery, at), corrected(delivery, at)].some(
        (when) => when >= `${delivery.returnFrom}`,
      ),
    change: (delivery, done, person) => {
      const reason = `${lastAttempt(delivery)?.reason}`
      const said = { ...done, input: { ...done.input, reason } } as Done
      return {
        returning: { at: done.occurredAt, reason },
        incidents: withIncident(delivery, 'return', said, person),
      }
    },
  },
  // R105
  confirmReturn: {
    from: ['Picked Up'],
    to: 'Cancelled',
    may: (person, delivery) => sentIt(person, delivery) && delivery.returning !== undefined,
    change: ({ offer }) => ({ outcome: 'returned', driverShare: Math.round(offer * 50) / 100 }),
  },
  // R135
  renewCode: {
    from: ['Accepted', 'Picked Up'],
    may: (person, delivery) => sentIt(person, delivery) && (delivery.newCodes ?? 0) < 3,
    change: ({ newCodes = 0 }) => ({
      newCodes: newCodes + 1,
      deliveryCode: undefined,
      wrongCodes: undefined,
      codeLocked: undefined,
    }),
  },
  // R113
  rateDelivery: {
    from: ['Approved'],
    may: (person, delivery) => delivery.ratings?.[sideOf(person, delivery)] === undefined,
    change: (delivery, { input, occurredAt }, person) => {
      const { stars, words } = input as { stars: number; words?: string }
      const rating = { stars, words, at: occurredAt }
      return { ratings: { ...delivery.ratings, [sideOf(person, delivery)]: rating } }
    },
  },
}

/** What an admin may cancel besides (R27). */
const adminCancels: readonly Status[] = ['Pending', 'Accepted', 'Picked Up']

/** The delivery after this was done by this person, or unchanged where the rules refuse it. */
export function afterStep(delivery: Delivery, done: Done, person: Person): Delivery {
  const { op, occurredAt: at } = done
  const step = steps[op]
  if (op === 'raiseOffer') return afterRaise(delivery, done, person)
  if (isHeld(delivery) && op in reportedAfter) return afterReport(delivery, done, person)
  const isAdmin = person !== 'guest' && person.role === 'admin' && op === 'cancelDelivery'
  const from = isAdmin ? adminCancels : step?.from
  if (!step || !from?.includes(delivery.status)) return delivery
  if (!isAdmin && !step.may(person, delivery, at)) return delivery
  const changed = { ...delivery, ...step.change?.(delivery, done, person), updatedAt: at }
  if (!step.to) return changed
  const times = { at, occurredAt: at, effectiveAt: effectiveAt(delivery, at) }
  const history = [...(delivery.history ?? []), { status: step.to, ...times }]
  return { ...changed, status: step.to, history, dueAt: undefined }
}

/** A higher offer, at most twenty times while it is Pending (R169). */
function afterRaise(delivery: Delivery, { input, occurredAt: at }: Done, person: Person): Delivery {
  const { offer } = input as { offer: number }
  const { status, history = [] } = delivery
  const raises = history.filter((step) => step.offer !== undefined).length
  const isHigher = offer > delivery.offer && raises < 20
  if (status !== 'Pending' || !isHigher || !sentIt(person, delivery)) return delivery
  const times = { at, occurredAt: at, effectiveAt: effectiveAt(delivery, at) }
  return { ...delivery, offer, history: [...history, { status, ...times, offer }], updatedAt: at }
}

/** What a driver may have done before a cancel that they knew nothing of, and after which step of theirs (R124). */
const reportedAfter: Record<string, Status> = {
  pickUpDelivery: 'Accepted',
  completeDelivery: 'Picked Up',
}

function afterReport(delivery: Delivery, { op, occurredAt: at }: Done, person: Person): Delivery {
  const { history = [], driver } = delivery
  const cancelled = history.findLast(({ status, late }) => status === 'Cancelled' && !late)
  const isTheirs = person !== 'guest' && driver?.id === person.ID
  const isNext = ofDriver(delivery).at(-1)?.status === reportedAfter[op]
  if (!isTheirs || !isNext || !cancelled || at > cancelled.at) return delivery
  const counted = effectiveAt({ ...delivery, history: ofDriver(delivery) }, at)
  const times = { at, occurredAt: at, effectiveAt: counted, late: true }
  return {
    ...delivery,
    history: [...history, { status: steps[op]?.to ?? 'Cancelled', ...times }],
    disputed: true,
    refundDueAt: undefined,
    updatedAt: at,
  }
}

const isHeld = ({ status, refund }: Delivery) => status === 'Cancelled' && refund === 'held'

/** The steps of the driver, those included that were heard after a cancel. */
const ofDriver = ({ history = [] }: Delivery) =>
  history.filter(({ status, late }) => status !== 'Cancelled' || late)

const isUnderWay = ({ status }: Delivery) => status === 'Picked Up' || status === 'Delivered'

/** After the approval, or of what was reported after a cancel: the first photo counts. */
const isProofOwed = (delivery: Delivery) =>
  delivery.proofOfDelivery === undefined &&
  (delivery.status === 'Approved' ||
    (isHeld(delivery) &&
      delivery.refundDueAt === undefined &&
      ofDriver(delivery).at(-1)?.status !== 'Accepted'))

/** When what a person says they did at this time counts as done: never before the step before (R133). */
function effectiveAt({ createdAt, history, incidents }: Delivery, said: string): string {
  const before = [history?.at(-1), incidents?.at(-1)].map((step) => step?.effectiveAt ?? step?.at)
  return [createdAt, said, ...before].reduce<string>(
    (latest, time) => (time !== undefined && time > latest ? time : latest),
    said,
  )
}

/** A time of the driver's clock, where the first attempt has shown that it is behind (R103). */
function corrected({ incidents = [] }: Delivery, said: string): string {
  const first = incidents.find(({ kind }) => kind === 'attempt')
  const { at = said, occurredAt = at, effectiveAt: counted = occurredAt } = first ?? {}
  return later(said, Math.max(0, Date.parse(counted) - Date.parse(occurredAt)))
}

const givenBack = (person: Person, { incidents = [] }: Delivery) =>
  incidents.filter(
    ({ kind, driver }) => kind === 'release' && person !== 'guest' && driver === person.ID,
  ).length

const isOwn = ({ ID, phone_number }: User, { sender, senderPhone, recipientPhone }: Delivery) =>
  sender?.id === ID || [sender?.phone, senderPhone, recipientPhone].includes(phone_number)

function withIncident(
  { incidents = [], ...delivery }: Delivery,
  kind: 'release' | 'attempt' | 'return',
  { input, occurredAt: at }: Done,
  person: Person,
) {
  const { reason, note } = input as { reason: string; note?: string }
  const by = person === 'guest' ? undefined : person
  // The job has no driver any more who could be named (R101).
  const name = kind === 'release' ? by?.name : undefined
  const times = { at, occurredAt: at, effectiveAt: effectiveAt({ ...delivery, incidents }, at) }
  return [...incidents, { kind, reason, note, driver: by?.ID, name, ...times }]
}

const lastAttempt = ({ incidents = [] }: Delivery) =>
  incidents.findLast(({ kind }) => kind === 'attempt')

const later = (at: string, by: number) => new Date(Date.parse(at) + by).toISOString()

const sideOf = (person: Person, delivery: Delivery) =>
  sentIt(person, delivery) ? 'sender' : 'driver'

function mayDrive(person: Person): person is Exclude<Person, 'guest'> {
  // R5, R9
  return (
    person !== 'guest' &&
    person.role === 'driver' &&
    person.driverStatus === 'approved' &&
    person.Verified
  )
}

function drivesIt(person: Person, { driver }: Delivery): boolean {
  return mayDrive(person) && driver?.id === person.ID
}

function sentIt(person: Person, { isGuestDelivery, sender }: Delivery): boolean {
  return person === 'guest' ? isGuestDelivery : person.Verified && sender?.id === person.ID
}

const contact = ({ ID, name, phone_number, email, rating }: Exclude<Person, 'guest'>) => ({
  id: ID,
  name,
  phone: phone_number,
  email,
  rating,
})
