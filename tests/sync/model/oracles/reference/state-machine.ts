import type { Delivery, Status } from '#domain/deliveries/delivery.ts'
import type { User } from '#domain/users/user.ts'

/** Who acts on a delivery, as the model knows them: the guest who asked for it, or somebody with an account. */
export type Person = 'guest' | User

type Step = {
  /** From which states, and to which. */
  from: readonly Status[]
  to?: Status
  may(person: Person, delivery: Delivery): boolean
}

/** The model's own table of the steps of a delivery, written from the rules R24 to R28 and from nothing else. */
const steps: Record<string, Step> = {
  // R24
  acceptDelivery: {
    from: ['Pending'],
    to: 'Accepted',
    may: (person, { sender }) => mayDrive(person) && sender?.id !== person.ID,
  },
  // R25
  pickUpDelivery: { from: ['Accepted'], to: 'Picked Up', may: drivesIt },
  completeDelivery: { from: ['Picked Up'], to: 'Delivered', may: drivesIt },
  // R26
  approveDelivery: { from: ['Delivered'], to: 'Approved', may: sentIt },
  // R27
  cancelDelivery: { from: ['Pending'], to: 'Cancelled', may: sentIt },
  // R28
  attachProof: { from: ['Picked Up', 'Delivered'], may: drivesIt },
}

/** What an admin may cancel besides (R27). */
const adminCancels: readonly Status[] = ['Pending', 'Accepted', 'Picked Up']

/** The delivery after this operation at this time (ISO 8601), or unchanged where the rules refuse it. */
export function afterStep(delivery: Delivery, op: string, person: Person, at: string): Delivery {
  const step = steps[op]
  const isAdmin = person !== 'guest' && person.role === 'admin' && op === 'cancelDelivery'
  const from = isAdmin ? adminCancels : step?.from
  if (!step || !from?.includes(delivery.status)) return delivery
  if (!isAdmin && !step.may(person, delivery)) return delivery
  const changed = { ...delivery, updatedAt: at }
  if (op === 'attachProof') return { ...changed, proofOfDelivery: '' }
  const status = step.to ?? delivery.status
  const history = [...(delivery.history ?? []), { status, at, occurredAt: at }]
  const driver = op === 'acceptDelivery' && person !== 'guest' ? contact(person) : delivery.driver
  return { ...changed, status, history, driver }
}

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

const contact = ({ ID, name, phone_number, email }: Exclude<Person, 'guest'>) => ({
  id: ID,
  name,
  phone: phone_number,
  email,
})
