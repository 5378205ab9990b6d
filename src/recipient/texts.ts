import { hasEnded, type Parcel } from './status.ts'

/** What the page says about a parcel. */
export function stepOf({ status, driver, senderName }: Parcel): { title: string; text: string } {
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
    case 'Delivered':
    case 'Approved':
      return { title: 'Handed over', text: `${name} has given you the parcel.` }
    case 'Cancelled':
      return { title: 'Cancelled', text: 'This parcel is not coming.' }
    default:
      return { title: status, text: '' }
  }
}

/** Whether the code is still to be shown to the driver. */
export const needsCode = (parcel: Parcel | undefined): boolean =>
  parcel === undefined || !(hasEnded(parcel) || parcel.status === 'Delivered')

/** The note to a driver, as links that open the phone's own apps. `phone`: ten digits. */
export function noteLinks(phone: string, item: string, where: string) {
  const text = `About “${item}”: I'm not there. Please leave it with ${where.trim()}.`
  const said = encodeURIComponent(text)
  return {
    sms: `sms:${phone}?body=${said}`,
    whatsapp: `https://wa.me/${phone.replace(/^0/, '233')}?text=${said}`,
  }
}

/** When something was heard, such as "as of 14:05", with the day where it is not today's. */
export function asOf(at: string, now: Date): string {
  const then = new Date(at)
  const time = then.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  if (then.toDateString() === now.toDateString()) return `as of ${time}`
  const day = then.toLocaleDateString('en-GB', { weekday: 'short', day: 'numeric', month: 'short' })
  return `as of ${day}, ${time}`
}
