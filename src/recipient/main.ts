import encode from 'qr'
import {
  type HandoverLink,
  handoverLink,
  readHandoverLink,
} from '#domain/deliveries/handover/handover-link.ts'
import { onWhite, qrOptions } from '#domain/deliveries/handover/qr-svg.ts'
import { ask, type Heard, hasEnded, nextAfter, openMemory, type Parcel } from './status.ts'
import { asOf, needsCode, noteLinks, stepOf } from './texts.ts'

/* The recipient's page (R110, R111): what the driver scans, and where the parcel is. It has no account. */

const part = <E extends HTMLElement = HTMLElement>(id: string) => document.getElementById(id) as E
const show = (id: string, isShown: boolean) => {
  part(id).hidden = !isShown
}
const write = (id: string, text: string) => {
  // Screen readers hear what changed, and nothing twice.
  if (part(id).textContent !== text) part(id).textContent = text
}

function start() {
  const link = readHandoverLink(location.href)
  show('wrong', !link)
  show('parcel', Boolean(link))
  if (!link) return
  drawCode(link)
  void follow(link)
  void keepAwake()
}

function drawCode(link: HandoverLink) {
  part('qr').innerHTML = onWhite(encode(handoverLink(location.origin, link), 'svg', qrOptions))
  const { code } = link
  show('digits', Boolean(code))
  if (!code) return
  write('code', code)
}

/** Asks for the status while the page is seen, at once when it is seen again or the network is back. */
async function follow(link: HandoverLink) {
  paint(undefined, undefined)
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
    paint(parcel, heard)
    if (!parcel || !hasEnded(parcel)) timer = setTimeout(look, nextAfter(failures))
  }
  paint(parcel, undefined)
  document.addEventListener('visibilitychange', look)
  addEventListener('online', look)
  part('note').addEventListener('input', () => paintNote(parcel))
  void look()
}

function paint(parcel: Parcel | undefined, heard: Heard | undefined) {
  const { title, text } = parcel
    ? stepOf(parcel)
    : heard === 'unknown'
      ? { title: 'No news of this parcel', text: 'The code below may still be right.' }
      : heard === 'unreachable'
        ? { title: 'No news without a network', text: 'The code below works offline.' }
        : { title: 'Loading…', text: '' }
  write('title', title)
  write('text', text)
  write('item', parcel?.itemDescription ?? 'Your parcel')
  write('from', parcel ? `From ${parcel.senderName}` : '')
  write('as-of', parcel && heard === 'unreachable' ? `Offline, ${asOf(parcel.at, new Date())}` : '')
  show('proof', needsCode(parcel))
  paintDriver(parcel)
}

function paintDriver(parcel: Parcel | undefined) {
  const phone = parcel?.driver?.phone_number
  show('driver', Boolean(phone))
  if (!phone || !parcel?.driver) return
  write('call', `Call ${parcel.driver.name}`)
  part<HTMLAnchorElement>('call').href = `tel:${phone}`
  paintNote(parcel)
}

function paintNote(parcel: Parcel | undefined) {
  const phone = parcel?.driver?.phone_number
  const where = part<HTMLInputElement>('note').value
  show('send-note', Boolean(where.trim()))
  if (!phone || !parcel) return
  const links = noteLinks(phone, parcel.itemDescription, where)
  part<HTMLAnchorElement>('sms').href = links.sms
  part<HTMLAnchorElement>('whatsapp').href = links.whatsapp
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
