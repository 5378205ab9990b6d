import { firstNameOf } from '#domain/users/user.ts'
import type { DeliveryRow } from '#store/rows.ts'

/** What a person can do next about a delivery, with one button. */
type NextAction =
  | 'open'
  | 'fix'
  | 'pick up'
  | 'enter code'
  | 'approve'
  | 'raise'
  | 'confirm return'
  | 'find'
  | 'call'

/** `title`: what to do or to wait for, in one line. `text`: what else is good to know. */
export type NextStep = {
  title: string
  text?: string
  action: NextAction
  /** The text is also said at the field that it is about, where that is on the screen. */
  isAtField?: true
}

/** The person whom a sender or a driver meets, by their first name. */
const nameOr = (name: string | undefined, otherwise: string) =>
  name ? firstNameOf(name) : otherwise

export const recipientOf = ({ view }: DeliveryRow) => nameOr(view.recipientName, 'the recipient')
export const driverOf = ({ view }: DeliveryRow) => nameOr(view.driver?.name, 'the driver')
export const senderOf = ({ view }: DeliveryRow) =>
  nameOr(view.sender?.name ?? view.senderName, 'the sender')

export const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
export const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
