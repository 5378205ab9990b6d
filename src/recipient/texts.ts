import { hasEnded, type Parcel } from './status.ts'

/** What the page says about a parcel. */
export function stepOf(parcel: Parcel, now: Date): { title: string; text: string } {
  const { status, driver, senderName, updatedAt } = parcel
  const name = driver?.name ?? 'The driver'
  switch (status) {
    case 'Pending':
      return {
        title: 'Waiting for a driver',
        text: `${senderName} has asked for it to be brought.`,
      }
    case 'Accepted':
      return { title: `${name} will bring it`, text: `It is still with ${senderName}.` }
    case 'Picked Up':
      return { title: `${name} is on the way to you`, text: 'Have the code below ready.' }
    case 'Delivered': {
      const when = updatedAt ? ` at ${timeOf(updatedAt, now)}` : ''
      return { title: 'Handed over', text: `${name} gave you the parcel${when}.` }
    }
    case 'Approved':
      return {
        title: 'Handed over',
        text: `${name} gave you the parcel, and ${senderName} confirmed it. Nothing is left to do.`,
      }
    case 'Cancelled':
      return {
        title: 'Cancelled',
        text: `This parcel is not coming. Ask ${senderName} what happened.`,
      }
    default:
      return { title: status, text: '' }
  }
}

/** Whether the parcel counts as handed over, which its recipient may know better. */
export const isHandedOver = (parcel: Parcel | undefined): boolean =>
  parcel?.status === 'Delivered' || parcel?.status === 'Approved'

/** Whether the code is still to be shown to the driver. */
export const needsCode = (parcel: Parcel | undefined): boolean =>
  parcel === undefined || !(hasEnded(parcel) || parcel.status === 'Delivered')

/** A message as links that open the phone's own apps. `phone`: ten digits; without one the person chooses whom to write to. */
export function messageLinks(message: string, phone = '') {
  const text = encodeURIComponent(message)
  return {
    sms: `sms:${phone}?body=${text}`,
    whatsapp: `https://wa.me/${phone.replace(/^0/, '233')}?text=${text}`,
  }
}

export const noteToDriver = ({ itemDescription }: Parcel, where: string): string =>
  `About “${itemDescription}”: I'm not there. Please leave it with ${where.trim()}.`

/** What whoever takes the parcel needs: the code, which is in the link. */
export const noteToNeighbour = ({ itemDescription }: Parcel, link: string): string =>
  `Please take “${itemDescription}” for me. Show the driver this page once you have it: ${link}`

/** Whom a recipient calls who did not get the parcel. `helpLine`: whether the operator can be called. */
export function whomToCall({ senderName }: Parcel, reference: string, helpLine: boolean): string {
  const sender = `Call ${senderName} now, who can report it.`
  return helpLine ? `${sender} Or call us, and say that it is about ${reference}.` : sender
}

export const noteOfMissing = ({ itemDescription }: Parcel): string =>
  `I did not get “${itemDescription}”, but Soma says it was handed over. Please report it: open the delivery, then “Report an issue”.`

/** When something was heard, such as "as of 14:05". */
export const asOf = (at: string, now: Date): string => `as of ${timeOf(at, now)}`

/** A time with its day where it is not today's. */
function timeOf(at: string, now: Date): string {
  const then = new Date(at)
  const time = then.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  if (then.toDateString() === now.toDateString()) return time
  const day = then.toLocaleDateString('en-GB', { weekday: 'short', day: 'numeric', month: 'short' })
  return `${day}, ${time}`
}
