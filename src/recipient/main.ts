import encode from 'qr'
import { drawQr, qrOptions } from '#domain/deliveries/handover/draw-qr.ts'
import {
  type HandoverLink,
  handoverLink,
  readHandoverLink,
} from '#domain/deliveries/handover/handover-link.ts'

import { referenceOf } from '#domain/deliveries/reference.ts'
import {
  ask,
  askHelpLine,
  type Heard,
  hasEnded,
  nextAfter,
  openMemory,
  type Parcel,
} from './status.ts'
import {
  asOf,
  isHandedOver,
  messageLinks,
  needsCode,
  noteOfMissing,
  noteToDriver,
  noteToNeighbour,
  stepOf,
  whomToCall,
} from './texts.ts'

/* The recipient's page (R110, R111): what the driver scans, and where the parcel is. It has no account. */

const part = <E extends HTMLElement = HTMLElement>(id: string) => document.getElementById(id) as E
const show = (id: string, isShown: boolean) => {
  part(id).hidden = !isShown
}
const lead = (id: string, href: string) => {
  part<HTMLAnchorElement>(id).href = href
}
const write = (id: string, text: string) => {
  // Screen readers hear what changed, and nothing twice.
  if (part(id).textContent !== text) part(id).textContent = text
}

function start() {
  const link = readHandoverLink(location.href)
  show('wrong', !link)
  show('parcel', Boolean(link))
  if (!link) return takePasted()
  drawCode(link)
  void follow(link)
  void keepAwake()
}

/** A link that lost its end on the way is whole in the message that it came with. */
function takePasted() {
  part('pasted').addEventListener('input', () => {
    const { value } = part<HTMLInputElement>('pasted')
    const link = readHandoverLink(value)
    write('pasted-problem', link || value === '' ? '' : 'There is no whole link in it.')
    if (link) location.assign(handoverLink(location.origin, link))
  })
}

function drawCode(link: HandoverLink) {
  const rows = encode(handoverLink(location.origin, link), 'raw', qrOptions)
  drawQr(part<HTMLCanvasElement>('qr'), rows)
  const { code } = link
  show('digits', Boolean(code))
  if (!code) return
  write('code', code)
}

/** Asks for the status while the page is seen, at once when it is seen again or the network is back. */
async function follow(link: HandoverLink) {
  paint(undefined, undefined, link)
  const memory = await openMemory(link, Date.now())
  let parcel = memory.last()
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let isAsking = false
  const look = async () => {
    clearTimeout(timer)
    if (isAsking || document.hidden) return
    isAsking = true
    const heard = await ask(link, () => new Date())
    isAsking = false
    failures = heard === 'unreachable' ? failures + 1 : 0
    if (typeof heard === 'object') {
      parcel = heard.parcel
      memory.keep(parcel)
    }
    // A wrong secret, or one that has ended: nothing is shown of what it once opened.
    if (heard === 'unknown') {
      parcel = undefined
      memory.forget()
    }
    paint(parcel, heard, link)
    if (!parcel || !hasEnded(parcel)) timer = setTimeout(look, nextAfter(failures))
  }
  paint(parcel, undefined, link)
  document.addEventListener('visibilitychange', look)
  addEventListener('online', look)
  part('note').addEventListener('input', () => paintNote(parcel, link))
  void look()
}

function paint(parcel: Parcel | undefined, heard: Heard | undefined, link: HandoverLink) {
  const { title, text } = parcel
    ? stepOf(parcel, new Date())
    : heard === 'unknown'
      ? {
          title: 'No news of this parcel',
          text: 'If it ended more than a day ago, it is no longer shown. The code below may still be right.',
        }
      : heard === 'unreachable'
        ? { title: 'No news without a network', text: 'The code below works offline.' }
        : { title: 'Loading…', text: '' }
  write('title', title)
  write('text', text)
  write('item', parcel?.itemDescription ?? 'Your parcel')
  const { pickupZone, dropoffZone } = parcel ?? {}
  write('route', pickupZone && dropoffZone ? `${pickupZone} → ${dropoffZone}` : '')
  write('from', parcel ? `From ${parcel.senderName}` : '')
  write('as-of', parcel && heard === 'unreachable' ? `Offline, ${asOf(parcel.at, new Date())}` : '')
  show('proof', needsCode(parcel))
  paintDriver(parcel, link)
  void paintMissing(parcel, link)
}

/** Asked for once it may be needed; empty where there is none. */
let helpLine: string | undefined

/** What a recipient does who did not get what was handed over: tells the sender, who can report it, or the operator. */
async function paintMissing(parcel: Parcel | undefined, { id }: HandoverLink) {
  show('missing', isHandedOver(parcel))
  if (!parcel || !isHandedOver(parcel)) return
  const { senderName } = parcel
  const paintHelpLine = () => {
    write('missing-text', whomToCall(parcel, referenceOf(id), Boolean(helpLine)))
    show('missing-help', Boolean(helpLine))
    write('missing-help', `Call us: ${helpLine}`)
    lead('missing-help', `tel:${helpLine}`)
  }
  paintHelpLine()
  const { sms, whatsapp } = messageLinks(noteOfMissing(parcel))
  write('missing-sms', `Tell ${senderName} by SMS`)
  lead('missing-sms', sms)
  write('missing-whatsapp', `Tell ${senderName} on WhatsApp`)
  lead('missing-whatsapp', whatsapp)
  helpLine ??= await askHelpLine()
  paintHelpLine()
}

function paintDriver(parcel: Parcel | undefined, link: HandoverLink) {
  const phone = parcel?.driver?.phone_number
  show('driver', Boolean(phone))
  if (!phone || !parcel?.driver) return
  write('call', `Call ${parcel.driver.name}`)
  lead('call', `tel:${phone}`)
  paintNote(parcel, link)
}

function paintNote(parcel: Parcel | undefined, link: HandoverLink) {
  const phone = parcel?.driver?.phone_number
  const where = part<HTMLInputElement>('note').value
  show('send-note', Boolean(where.trim()))
  if (!phone || !parcel) return
  const { sms, whatsapp } = messageLinks(noteToDriver(parcel, where), phone)
  lead('sms', sms)
  lead('whatsapp', whatsapp)
  lead('neighbour', messageLinks(noteToNeighbour(parcel, handoverLink(location.origin, link))).sms)
}

/** The screen stays on while the code is shown, where the browser can. */
async function keepAwake() {
  const lock = () => {
    if (!document.hidden) navigator.wakeLock?.request('screen').catch(() => {})
  }
  lock()
  document.addEventListener('visibilitychange', lock)
}

addEventListener('hashchange', () => location.reload())
start()
// Another opening needs no network.
navigator.serviceWorker?.register('/h/sw.js', { scope: '/h/' }).catch(() => {})
