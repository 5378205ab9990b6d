import { present } from '../../../helpers/present.ts'
import {
  type AccessFixture,
  defaultTarget,
  payoutPhoneOf,
  type Role,
  tokenOf,
} from '../access-fixture.ts'

/* Who may read what (R50 to R56, R129), as texts to look for in a response. */

type Secret = { what: string; text: string; readers: Set<string>; admins: boolean }

/** Every text that some roles must not read, with the tokens of those who may. */
export function secretsOf(fixture: AccessFixture): Secret[] {
  const secrets = new Map<string, Secret>()
  const add = (what: string, text: string, readers: (string | undefined)[], admins = true) => {
    const secret = secrets.get(text) ?? { what, text, readers: new Set(), admins }
    for (const reader of readers) if (reader) secret.readers.add(reader)
    secrets.set(text, secret)
  }
  for (const { user, token, email, phone } of fixture.everybody) {
    if (user.name !== 'Admin') add('a name', user.name, [token])
    add('an e-mail', email, [token])
    add('a phone', phone, [token])
    if (user.role === 'driver') add('a payout number', payoutPhoneOf({ phone }), [token])
    add('a session token', token, [], false)
    add('the hash of a token', fixture.server.ports.secrets.hash(token), [], false)
  }
  for (const text of fixture.idNumbers.values()) add('an ID number', text, [])
  add('a password hash', 'hash of correct horse', [], false)
  for (const target of fixture.targets) addDelivery(target)
  return [...secrets.values()].filter(({ text }) => text !== '')

  function addDelivery(target: AccessFixture['targets'][number]) {
    const owner = target.sender?.token ?? target.guest?.token
    const carrier = target.stage === 'Carried' ? undefined : target.driver?.token
    add('a delivery code', JSON.stringify(target.code), [owner])
    const sides = [owner, carrier]
    // After the end each side keeps its own (R129).
    const hasEnded = target.stage === 'Approved' || target.stage === 'Cancelled'
    const ofSender = hasEnded ? [owner] : sides
    const ofDriver = hasEnded ? [carrier] : sides
    for (const text of [target.recipientName, target.recipientPhone])
      add('a recipient', text, ofSender)
    for (const text of [target.senderName, target.senderPhone]) add('a sender', text, ofSender)
    if (target.sender) add('a sender', target.sender.email, ofSender)
    if (target.guest) add('a guest token', target.guest.token, [], false)
    add('a track token', target.trackToken, [], false)
    add('the hash of a track token', target.trackHash, [], false)
    add('the secret of a hand-over', target.secret, [], false)
    add('the hash of a hand-over', target.handoverHash, ofSender)
    for (const text of [target.pickupPlace, target.dropoffPlace]) add('a place', text, ofSender)
    if (target.returnCode) add('a return code', JSON.stringify(target.returnCode), [owner])
    const { driver } = target
    if (driver)
      for (const text of [driver.user.name, driver.email, driver.phone])
        add('a driver', text, ofDriver)
    const browsing = target.stage === 'Pending' ? approvedDrivers(fixture) : []
    for (const text of [target.id, target.note])
      add('a delivery', text, [...sides, target.driver?.token, ...browsing])
  }
}

export const approvedDrivers = ({ otherDriver, unverifiedDriver, targets }: AccessFixture) => [
  otherDriver.token,
  unverifiedDriver.token,
  ...targets.flatMap(({ stage, driver }) => (driver && stage !== 'Carried' ? [driver.token] : [])),
]

/** The fields of an available job (R51). */
export const advertFields = [
  'ID',
  'createdAt',
  'dropoffZone',
  'fragile',
  'isGuestDelivery',
  'itemDescription',
  'itemPhoto',
  'note',
  'offer',
  'pickupZone',
  'size',
  'status',
  'updatedAt',
]

type Told = {
  token: string | undefined
  /** All texts of the request, and those its response may hold. */
  asked: string
  answer: string
  /** The caller became a party of the delivery by this call. */
  joined?: boolean
}

/**
 * The texts in a response that its reader may not see, described for a failing test. Texts of the
 * request itself are allowed.
 */
export function leaksIn(
  fixture: AccessFixture,
  secrets: Secret[],
  { token, asked, answer, joined = false }: Told,
): string[] {
  const isAdmin = token === fixture.admin.token
  // An open issue opens the contacts of an ended delivery to its two sides (R129).
  const open = deliveriesIn(answer)
    .filter(({ disputed }) => disputed === true)
    .flatMap(({ ID }) => fixture.targets.filter(({ id }) => id === ID))
    .filter((each) => [each.sender?.token, each.guest?.token, each.driver?.token].includes(token))
  const isOpen = (text: string) =>
    open.some((each) =>
      [
        ...[each.recipientName, each.recipientPhone, each.senderName, each.senderPhone],
        ...[each.pickupPlace, each.dropoffPlace, each.handoverHash, each.sender?.email],
        ...[each.driver?.user.name, each.driver?.email, each.driver?.phone],
      ].includes(text),
    )
  const found = secrets.filter(
    ({ text, readers, admins }) =>
      answer.includes(text) &&
      !(isAdmin && admins) &&
      !(token && readers.has(token)) &&
      !isOpen(text) &&
      !asked.includes(text),
  )
  const codes = fixture.server.sms.flatMap(({ text }) => text.match(/\b\d{6}\b/) ?? [])
  const sent = codes.filter((code) => answer.includes(JSON.stringify(code)))
  const leaks = found.map(({ what, text }) => `${what}: ${text}`)
  return [...leaks, ...sent.map((code) => `a code sent by SMS: ${code}`), ...tooWide(answer)]

  function tooWide(text: string): string[] {
    if (isAdmin || joined) return []
    return deliveriesIn(text).flatMap((delivery) => {
      const target = fixture.targets.find(({ id }) => id === delivery.ID)
      if (!target || !token) return []
      const owner = target.sender?.token ?? target.guest?.token
      if (token === owner || token === target.driver?.token) return []
      const more = Object.keys(delivery).filter((name) => !advertFields.includes(name))
      return more.map((name) => `${name} of a delivery to one who looks for jobs`)
    })
  }
}

/** Every delivery in a response. */
export function deliveriesIn(text: string): Record<string, unknown>[] {
  const found: Record<string, unknown>[] = []
  const walk = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return
    if ('pickupZone' in value) found.push({ ...value })
    for (const each of Object.values(value)) walk(each)
  }
  try {
    walk(JSON.parse(text))
  } catch {
    // Not JSON: a photo or a stream.
  }
  return found
}

/** The token of a role in a call that is not about one delivery. */
export const ownToken = (fixture: AccessFixture, role: Role) =>
  tokenOf(fixture, role, defaultTarget(fixture, role))

/** The contacts that each party sees of the other (R52); the delivery code is not one of them. */
export const sidesOf = ({ sender, ...target }: AccessFixture['targets'][number]): string[] => [
  target.recipientName,
  target.recipientPhone,
  target.senderName,
  target.senderPhone,
  ...(sender ? [sender.email] : []),
  target.handoverHash,
  target.pickupPlace,
  target.dropoffPlace,
]

/** The texts that the parties must see: they prove that the search above finds texts at all. */
export const partsOf = (target: AccessFixture['targets'][number]) => ({
  code: JSON.stringify(target.code),
  recipient: target.recipientPhone,
  sender: target.senderPhone,
  driver: present(target.driver).phone,
})
