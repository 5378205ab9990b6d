import type { Delivery } from '#domain/deliveries/delivery.ts'
import { isClaimed } from '#domain/deliveries/endings/cancel-hold.ts'
import { isSaidUnpaid, saysPaid } from '#domain/deliveries/endings/direct-payment.ts'
import { lastOfOffice } from '#domain/deliveries/office/office.ts'
import {
  howPaid,
  isDirect,
  isFunded,
  partOf,
  priceText,
  totalOf,
} from '#domain/deliveries/payment.ts'
import { asciiDigits } from '#domain/digits.ts'
import { toCedis, toPesewas } from '#domain/money.ts'
import type { NotificationKind } from '#domain/notifications/kinds.ts'
import { product } from '#domain/product.ts'
import { firstNameOf } from '#domain/users/user.ts'

/** What a message is about. `delivery` is missing for an application and a server. */
export type MessageAbout = {
  kind: NotificationKind
  to: 'sender' | 'driver' | 'office'
  delivery?: Delivery
  /** When it happened. */
  at?: string
  /** Of a driver: how their application was decided. */
  isApprovedDriver?: boolean
  /** Of a server: why it is not ready; missing once it is again. */
  problem?: string
}

/** A message as a person reads it. `path` is below the app's address. */
export type Message = { title: string; body: string; path: string }

/** Bytes of a push message's JSON (R116). */
export const maxBytes = 400

/** Longest words of a person in a message, in characters. */
const longest = { name: 20, item: 40, zone: 24, reason: 80 }

/** What a person is told (R115). Names are first names, and no text holds a code or a phone number (R116). */
export function messageOf(about: MessageAbout): Message {
  const { kind, to, delivery } = about
  if (to === 'office') return officeMessage(about)
  if (!delivery) return applicationMessage(about.isApprovedDriver === true)
  const words = wordsOf(delivery)
  const texts = isRefund(about) ? refunded[to] : (to === 'driver' ? toDriver : toSender)[kind]
  const [title, body] = (texts ?? other)(words, delivery)
  const path = kind === 'new-job' ? 'drive' : `delivery/${delivery.ID}`
  return { title, body, path }
}

type Words = {
  item: string
  route: string
  driver: string
  recipient: string
  sender: string
  offer: string
  /** What the driver got, with what else the sender gave; and the sum of both. */
  paid: string
  total: string
  /** What of the price is the driver's, and what went back to the sender (R228). */
  left: string
  back: string
  /** Why the office did the last step; empty where it did not. */
  reason: string
}

function wordsOf(delivery: Delivery): Words {
  const { itemDescription, pickupZone, dropoffZone, offer, driver, recipientName } = delivery
  const secrets = secretsOf(delivery)
  const plain = (text: string, most: number) => shorten(withoutNumbers(text, secrets), most)
  const name = (text = '') => plain(firstName(text), longest.name)
  const zones = [pickupZone, dropoffZone].map((zone) => plain(zone, longest.zone))
  return {
    item: plain(itemDescription, longest.item) || 'Your item',
    route: zones.join(' to '),
    driver: name(driver?.name) || 'The driver',
    recipient: name(recipientName) || 'the recipient',
    sender: name(delivery.sender?.name ?? delivery.senderName) || 'The sender',
    offer: priceOf(offer),
    paid: priceText(delivery, priceOf),
    total: priceOf(totalOf(delivery)),
    left: partOf(delivery) === 0 ? 'Nothing' : priceOf(toCedis(partOf(delivery))),
    back: priceOf(toCedis(toPesewas(offer) - partOf(delivery))),
    reason: plain(lastOfOffice(delivery)?.reason ?? '', longest.reason),
  }
}

const priceOf = (cedis: number) => `₵${Number.isInteger(cedis) ? cedis : cedis.toFixed(2)}`

type Texts = (words: Words, delivery: Delivery) => [title: string, body: string]

const toSender: Partial<Record<NotificationKind, Texts>> = {
  accepted: ({ driver, item, route, reason }) =>
    reason
      ? [`${driver} takes your request now`, `Support: ${reason} · ${item}, ${route}`]
      : [`${driver} accepted your request`, `${item}, ${route}. Have it ready.`],
  released: ({ item, route, reason }) => [
    'Your request is on offer again',
    reason
      ? `Support: ${reason} · ${item}, ${route}`
      : `The driver gave ${item} back. Other drivers from ${route} see it now.`,
  ],
  'picked-up': ({ driver, item, recipient }) => [
    `${driver} picked up ${item}`,
    `Share the delivery code with ${recipient} only.`,
  ],
  delivered: ({ driver, item, recipient, offer }, delivery) => [
    `${item} was delivered`,
    isDirect(delivery)
      ? `${recipient} has it. Pay ${driver} ${offer} and approve it.`
      : `${recipient} has it. Approve it so that ${driver} is paid.`,
  ],
  'approval-due': ({ item }, { dueAt }) => [
    `Approve ${item}`,
    `It is approved automatically${dueAt ? ` on ${momentText(dueAt)}` : ''}. Is something wrong? Report it before then.`,
  ],
  approved: ({ driver, item, total }, delivery) => [
    `${item} was approved ${lastOfOffice(delivery) ? 'by support' : 'automatically'}`,
    isDirect(delivery) ? `Pay ${driver} ${total} if you haven't yet.` : `${driver} has been paid.`,
  ],
  cancelled: ({ item, offer }, delivery) => [
    `${item} was cancelled`,
    delivery.refund === 'held'
      ? `${isDirect(delivery) ? 'You owe nothing' : 'Your money comes back'} once the driver's phone has confirmed.`
      : isDirect(delivery)
        ? 'You owe nothing.'
        : isFunded(delivery)
          ? `Your ${offer} comes back to you.`
          : 'Nothing was paid.',
  ],
  attempt: ({ driver, item, recipient }) => [
    `${driver} couldn't hand over ${item}`,
    `Call ${recipient}, or ask ${driver} what happened.`,
  ],
  'wrong-code': ({ driver, item, recipient }, { codeLocked, wrongCodes }) =>
    codeLocked
      ? [`The code of ${item} is locked`, `Get a new one and share it with ${recipient} again.`]
      : [
          `${wrongCodes ?? 5} wrong codes for ${item}`,
          `Ask ${recipient} and ${driver} what happened.`,
        ],
  returning: ({ driver, item }, { status }) =>
    status === 'Cancelled'
      ? [`${item} is back with you`, `${driver} returned it.`]
      : [`${driver} is bringing ${item} back`, 'Confirm the return when you have it.'],
  dispute: ({ item, driver, offer, total }, delivery) =>
    isSaidUnpaid(delivery)
      ? [`${driver} did not receive ${total}`, `Support looks into the payment for ${item}.`]
      : isClaimed(delivery)
        ? [
            `Support looks into ${item}`,
            isDirect(delivery)
              ? `${driver} had it before the cancel. Support decides about the ${offer}.`
              : `${driver} had it before the cancel. Your ${offer} is held until support has decided.`,
          ]
        : ['Support has decided', `Read the decision about ${item}.`],
}

const toDriver: Partial<Record<NotificationKind, Texts>> = {
  accepted: ({ item, route, reason }) => [
    `Support gave you ${item}`,
    [route, reason].filter(Boolean).join(' · '),
  ],
  // Whatever has become of it since.
  released: ({ item, route, reason }) => [
    `${item} is no longer your job`,
    reason ? `Support: ${reason} · ${route}` : route,
  ],
  'new-job': ({ item, route, offer }) => [`${offer} · ${route}`, `${item}. Tap to see the job.`],
  approved: ({ item, paid, sender, total }, delivery) => {
    if (!isDirect(delivery)) return [`You are paid ${paid}`, `${item} was approved.`]
    return saysPaid(delivery)
      ? [
          `${sender} says you were paid ${paid}${howPaid(delivery)}`,
          `${item} was approved. Not received? Say so within 24 hours.`,
        ]
      : [`${item} was approved`, `${sender} has not said how they paid. Ask for ${total}.`]
  },
  cancelled: ({ item, route }, { history }) => [
    `${item} was cancelled`,
    history?.some(({ status }) => status === 'Picked Up')
      ? `${route}. Bring it back to its sender.`
      : `${route}. There is nothing to pick up.`,
  ],
  returning: ({ item }) => ['Return confirmed', `The sender has ${item} back.`],
  dispute: ({ item, offer }, delivery) =>
    isClaimed(delivery)
      ? [
          `${item} was cancelled`,
          `What you did before the cancel counts: support decides about the ${offer}.`,
        ]
      : ['Support has decided', `Read the decision about ${item}.`],
}

/** Whether it is about what an admin gave back (R228), and not about an answer to a report. */
const isRefund = ({ kind, delivery, at }: MessageAbout): boolean =>
  kind === 'dispute' &&
  delivery?.history?.some((step) => step.at === at && step.corrected?.includes('driverShare')) ===
    true

/** What was given back in all: a newer message replaces the one before. */
const refunded: Record<'sender' | 'driver', Texts> = {
  sender: ({ item, back, reason }) => [`You get ${back} back`, `Support: ${reason} · ${item}`],
  driver: ({ item, sender, back, left, reason }) => [
    `${sender} gets ${back} back`,
    `${left} of the price is yours. Support: ${reason} · ${item}`,
  ],
}

const other: Texts = ({ item, route }) => [item, route]

const applicationMessage = (isApproved: boolean): Message =>
  isApproved
    ? { title: 'You are approved to drive', body: 'Accept your first job.', path: 'drive' }
    : {
        title: 'Your application was rejected',
        body: 'Contact support if you think this is a mistake.',
        path: 'driver-pending',
      }

/** What an admin is told (R224, R225). */
function officeMessage({ kind, delivery, problem }: MessageAbout): Message {
  if (kind === 'office-application')
    return {
      title: 'A driver has applied',
      body: 'Review the application.',
      path: 'admin/drivers/review',
    }
  if (!delivery)
    return problem === undefined
      ? { title: 'The server is ready again', body: 'Requests are served.', path: 'admin' }
      : { title: 'A server is not ready', body: `It cannot serve: ${problem}.`, path: 'admin' }
  const { item, route } = wordsOf(delivery)
  const isMoney = kind === 'office-money'
  return {
    title: isMoney ? `Money for ${item} failed` : `New dispute about ${item}`,
    body: isMoney ? 'See why, and try again.' : route,
    path: isMoney ? 'admin/money' : `admin/deliveries?open=${delivery.ID}`,
  }
}

/** The SMS text of a kind, without any user's words (R149). `when`: of the approval by the server. */
const smsTexts: Partial<Record<NotificationKind, (when: string, delivery: Delivery) => string>> = {
  'picked-up': () => 'the driver has your item. Share its code with the recipient only.',
  delivered: (_, delivery) =>
    isDirect(delivery)
      ? 'your item was delivered. Pay the driver and approve it.'
      : 'your item was delivered. Approve it so that the driver is paid.',
  'approval-due': (when) =>
    `your delivery is approved automatically${when}. Is something wrong? Report it now.`,
}

/**
 * The SMS in place of a push that nobody confirmed, in at most 160 characters with the link (R119). Nothing for a
 * kind that has none.
 */
export function smsText({ kind, delivery }: MessageAbout, origin: string): string | undefined {
  const texts = smsTexts[kind]
  if (!texts || !delivery) return undefined
  const { ID, dueAt } = delivery
  const text = texts(dueAt ? ` on ${momentText(dueAt)}` : '', delivery)
  const link = ` ${origin}/delivery/${ID}`
  const words = `${product}: ${text}`
  const space = 160 - link.length
  return `${words.length <= space ? words : `${words.slice(0, space - 3)}...`}${link}`
}

/** `26 Nov, 14:05`, in Ghana, whose time is UTC. */
const momentText = (at: string) =>
  new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'UTC',
  }).format(new Date(at))

const titles = /^(dr|mr|mrs|ms|miss|prof|rev|sir|madam|hon|pastor|alhaji|hajia)\.?$/i

/** A first name, without titles; empty for an e-mail. `Owusu, Ama` begins with the last name. */
function firstName(text: string): string {
  if (text.includes('@')) return ''
  const [before = '', after = ''] = text.split(',')
  const words = (after.trim() || before).trim().split(/\s+/)
  return firstNameOf(words.find((word) => !titles.test(word)) ?? '')
}

/** The digits that no message may contain: codes and phone numbers of this delivery. */
const secretsOf = ({ deliveryCode, returnCode, recipientPhone, senderPhone, ...more }: Delivery) =>
  [deliveryCode, returnCode, recipientPhone, senderPhone, more.sender?.phone, more.driver?.phone]
    .map((secret) => secret?.replace(/\D/g, '') ?? '')
    .filter((secret) => secret.length >= 5)

/** Digits of a phone number without its country code or the zero before it. */
const phoneDigits = 9

/**
 * Words of a person on one line, without what could be a code or a phone number, in digits of any script and
 * whatever stands between them (R116).
 */
function withoutNumbers(text: string, secrets: readonly string[]): string {
  const line = asciiDigits(text)
    // Invisible characters, such as text direction marks, and keycaps of emojis.
    .replace(/[^\P{C}\s]|[\ufe0f\u20e3]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
  const hidden = line.replace(/\d(?:\D{0,3}?\d){4,}/gu, '…')
  const digits = hidden.replace(/\D/g, '')
  const isOne = digits.length >= phoneDigits || secrets.some((secret) => digits.includes(secret))
  return isOne ? hidden.replace(/\d+/g, '…') : hidden
}

/** At most so many characters, and one and a half times as many bytes in JSON. */
function shorten(text: string, most: number): string {
  const signs = [...text]
  const fits = (length: number) =>
    length <= most && bytesOf(signs.slice(0, length).join('')) <= most * 1.5
  if (fits(signs.length)) return text
  let length = Math.min(signs.length, most) - 1
  while (!fits(length)) length--
  return `${signs.slice(0, length).join('').trimEnd()}…`
}

const bytesOf = (text: string) => Buffer.byteLength(JSON.stringify(text)) - '""'.length
