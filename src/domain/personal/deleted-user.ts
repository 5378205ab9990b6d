import type { Delivery } from '../deliveries/delivery.ts'
import { deletedName, type User } from '../users/user.ts'

/** Whether this account was deleted: no other has no e-mail. */
export const isDeletedUser = ({ email }: Pick<User, 'email'>): boolean => email === ''

/** A delivery without what is known of one of its parties, and the photos that it named because of them. */
export type Erased<D extends Delivery> = { delivery: D; photos: string[] }

/**
 * The delivery without what its sender or guest entered or uploaded, and without their name and number (R216). Item, zones,
 * offer, times and what each side wrote to the other stay.
 */
export function withoutSender<D extends Delivery>(delivery: D): Erased<D> {
  const { sender, itemPhoto, payment } = delivery
  return {
    delivery: {
      ...delivery,
      senderName: deletedName,
      senderPhone: undefined,
      sender: sender && { id: sender.id, name: deletedName },
      recipientName: undefined,
      recipientPhone: undefined,
      pickupPlace: undefined,
      dropoffPlace: undefined,
      note: undefined,
      itemPhoto: undefined,
      payment: payment && { ...payment, message: undefined },
    },
    photos: itemPhoto ? [itemPhoto] : [],
  }
}

/** As `withoutSender`, for this driver: also one who gave the job back, whose notes and photos of attempts it may hold. */
export function withoutDriver<D extends Delivery>(delivery: D, id: string): Erased<D> {
  const { driver, proofOfDelivery, incidents, payout } = delivery
  const isDriver = driver?.id === id
  const own = incidents?.filter((incident) => incident.driver === id) ?? []
  const photos = own.flatMap(({ photo }) => photo ?? [])
  return {
    delivery: {
      ...delivery,
      driver: isDriver ? { id, name: deletedName } : driver,
      proofOfDelivery: isDriver ? undefined : proofOfDelivery,
      payout: isDriver && payout ? { ...payout, message: undefined } : payout,
      incidents: incidents?.map((incident) =>
        own.includes(incident)
          ? { ...incident, name: incident.name && deletedName, note: undefined, photo: undefined }
          : incident,
      ),
    },
    photos: isDriver && proofOfDelivery ? [...photos, proofOfDelivery] : photos,
  }
}
