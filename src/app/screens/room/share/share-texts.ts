import type { Delivery } from '#domain/deliveries/delivery.ts'
import { handoverLink } from '#domain/deliveries/handover/handover-link.ts'
import { product } from '#domain/product.ts'
import { internationalPhone } from '#domain/users/phone.ts'

/** The link of a hand-over (R110); `undefined` without a secret, and in the demo, which has no server for it. */
export function linkOf(
  { ID, deliveryCode }: Pick<Delivery, 'ID' | 'deliveryCode'>,
  secret: string | undefined,
  origin: string | undefined,
): string | undefined {
  if (!secret || !origin) return undefined
  return handoverLink(origin, { id: ID, secret, code: deliveryCode })
}

/** What a recipient is told: the digits, and the link where there is one. */
export function messageTo(
  { recipientName = '', itemDescription, deliveryCode = '' }: Delivery,
  link: string | undefined,
): string {
  const code = `Hello ${recipientName}, the ${product} delivery code for "${itemDescription}" is ${deliveryCode}. Give it to the driver only when the item is in your hands.`
  return link ? `${code} Follow the parcel and show the driver this page: ${link}` : code
}

/** The addresses that open WhatsApp and SMS with the message. `phone`: ten digits. */
export const messageLinks = (phone: string, message: string) => ({
  whatsapp: `https://wa.me/${internationalPhone(phone)}?text=${encodeURIComponent(message)}`,
  sms: `sms:${phone}?body=${encodeURIComponent(message)}`,
})
