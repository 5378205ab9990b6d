import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import { v7 } from 'uuid'
import { afterAll, inject } from 'vitest'
import { type CallInput, type CallResult, call } from '#contract/calls/call.ts'
import { endpoints, type Op } from '#contract/endpoints.ts'
import type { BodyOf } from '#contract/queries.ts'
import { pageUploads } from '#demo/backend/page-uploads.ts'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import type { DisputeType } from '#domain/deliveries/dispute.ts'
import { defaultEndingTerms } from '#domain/deliveries/endings/incidents.ts'
import { defaultMinOffer } from '#domain/money.ts'
import type { User } from '#domain/users/user.ts'
import { createServer } from '#server/app.ts'
import { webPushSender } from '#server/node/messages/push.ts'
import { seed } from '#server/node/startup/first-rows.ts'
import { openSecrets } from '#server/node/startup/secret-key.ts'
import { imageFolder } from '#server/photos/image-folder.ts'
import { defaultLimits, looseLimits } from '#server/ports/limits.ts'
import type { Log, Options, Ports, SmsMessage } from '#server/ports/ports.ts'
import type { Repo } from '#server/ports/repo.ts'
import { openPostgres, type PostgresRepo } from '#server/postgres/open-postgres.ts'
import { emptiedDatabase } from '../database/emptied-database.ts'
import type { FreshDatabase } from '../database/postgres.ts'
import { present } from '../present.ts'
import { untilListening } from './heard-events.ts'
import { quickPasswords } from './quick-passwords.ts'

export { present }

/** A logged-in user. */
export type Person = { user: User; token: string; email: string; password: string; phone: string }
/** A guest, with the delivery they created. */
export type Guest = { token: string; phone: string; delivery: Delivery }

export type TestServer = Awaited<ReturnType<typeof startTestServer>>

export const imageHost = 'http://localhost:8080'
/** A photo URL that the rules accept; no such photo is stored. */
export const photo = `${imageHost}/api/images/${'ab'.repeat(32)}.jpg`

const password = 'correct horse battery'

/** The origin of a push service that does not answer. */
export const pushService = 'http://127.0.0.1:9'

/** All calls of a test come from one address, so the limits for each address are loose by default. */
const { deliveryCode, login, loginFrom, secondFactor, sms } = defaultLimits
export const adminEmail = 'admin@soma.local'

export const secretKey = '0123456789abcdef'.repeat(4)

export const testOptions: Options = Object.freeze({
  publicOrigin: imageHost,
  imageUploadUrl: `${imageHost}/api/images/upload`,
  imageUploadPreset: 'soma',
  idUploadPreset: 'soma-id',
  imageHost,
  idempotencyDays: 90,
  limits: { ...looseLimits, deliveryCode, login, loginFrom, secondFactor, sms },
  minOffer: defaultMinOffer,
  payments: { mode: 'direct' as const, feePercent: 0 },
  smsDaily: 1_000_000,
  endings: defaultEndingTerms,
})

/** A server's database; several servers may share it. PostgreSQL has a `url`, and its repo a `pool`. */
export type ServerDatabase = {
  url?: string
  open(): Repo & Partial<Pick<PostgresRepo, 'pool'>>
  drop(): Promise<void>
}

export const postgresDatabase = ({
  url,
  drop,
}: Pick<FreshDatabase, 'url' | 'drop'>): ServerDatabase => ({
  url,
  drop,
  open: () => openPostgres(url),
})

let newDatabase = async () => postgresDatabase(await emptiedDatabase(inject('postgresUrl')))
/** False in a test file that called `setTestDatabase`. */
export let usesPostgres = true
/** Servers that this test file starts from now on use a database that `create` returns. */
export function setTestDatabase(create: () => ServerDatabase) {
  const usual = newDatabase
  newDatabase = async () => create()
  usesPostgres = false
  afterAll(() => {
    newDatabase = usual
    usesPostgres = true
  })
}

/**
 * Starts the real server over a real, empty database of its own; its clock can be advanced and SMS are
 * recorded; passwords are not hashed. `on` is the database of another server, as for a second process;
 * `over` replaces ports.
 */
export async function startTestServer(on?: ServerDatabase, over: Partial<Ports> = {}) {
  const database = on ?? (await newDatabase())
  const folder = await mkdtemp(join(tmpdir(), 'soma-images-'))
  const repo = database.open()
  const listening = untilListening(repo)
  const texts: SmsMessage[] = []
  const logged: string[] = []
  let ahead = 0
  const clock = {
    now: () => Date.now() + ahead,
    /** Milliseconds. */
    advance: (by: number) => {
      ahead += by
    },
  }
  const secrets = await openSecrets(repo, secretKey)
  const log = logInto(logged)
  const pushSettings = { subject: 'mailto:admin@soma.local', services: [pushService] }
  const ports: Ports = {
    repo,
    secrets,
    push: usesPostgres ? await webPushSender(repo, secrets, pushSettings, log) : undefined,
    passwords: { ...quickPasswords },
    sms: { send: async (text) => void texts.push(text) },
    images: imageFolder(folder),
    // Most tests upload bytes that only begin like a photo; `decodingUploads` accepts real photos only.
    uploads: pageUploads,
    clock: clock.now,
    log,
    options: testOptions,
    ...over,
  }
  await seed(ports, { email: adminEmail, password })
  const server = createServer(ports)
  await listening
  const origin = 'http://soma.test'
  const fetch = (request: Request, env: { address?: string } = { address: '127.0.0.1' }) =>
    server.fetch(request, env)
  const ask = <O extends Op>(op: O, question: CallInput & { body?: BodyOf<O> } = {}) =>
    call((request) => fetch(request), `${origin}/api`, op, question)
  const listeners: { close(): Promise<void> }[] = []

  return {
    database,
    repo,
    /** The pool of a server over PostgreSQL, for queries past its API. */
    pool: () => present(repo.pool),
    ports,
    clock,
    sms: texts,
    /** Every line the server logged, as text. */
    logged,
    fetch,
    /** A typed call, parsed as the app parses it. Throws `Refused` or `Unreachable`. */
    ask,
    /** A call with any method, path (below `/api`) and body; returns the response unparsed. */
    raw: (method: string, path: string, about: RawQuestion = {}) =>
      fetch(rawRequest(`${origin}/api${path}`, method, about), {
        address: about.address ?? '127.0.0.1',
      }),
    /** The status of a call by its path, with the reason of a refusal: `200`, `'409 wait'`. */
    async said(op: Op, by: { token: string }, id: string, body: object = {}) {
      const { method, path } = endpoints[op]
      const request = rawRequest(`${origin}/api${path.replace(':id', id)}`, method, {
        token: by.token,
        body,
      })
      const answer = await fetch(request)
      const { reason } = await answer.json()
      return reason ? `${answer.status} ${reason}` : answer.status
    },
    /** The newest code sent to this number. */
    codeSentTo: (phone: string) => codeSentTo(texts, phone),
    /** Listens on a free loopback port. */
    async listen() {
      const listener = await listenOn(server.fetch)
      listeners.push(listener)
      return listener
    },
    drain: server.drain,
    async close() {
      await server.close()
      for (const listener of listeners) await listener.close()
      await repo.close()
      if (!on) await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
    ...people(ask, texts, clock),
  }
}

type StatusChange = BodyOf<'changeStatus'>['status']

type Ask = <O extends Op>(
  op: O,
  question?: CallInput & { body?: BodyOf<O> },
) => Promise<CallResult<O>>

/** The Ghana Card of the driver with this phone number: each has one of their own (R201). */
export const idNumberOf = (phone: string) => `GHA-${phone.slice(1)}-0`

/** Functions that create the users and deliveries a test starts from. */
function people(ask: Ask, sms: SmsMessage[], clock: { advance(by: number): void }) {
  let count = 0
  const newPhone = () => `024${String(1_000_000 + ++count)}`

  async function signUp(role: 'sender' | 'driver', over: Partial<BodyOf<'signup'>> = {}) {
    const phone = over.phone_number ?? newPhone()
    const email = over.email ?? `${role}.${phone}@example.com`
    const driverFields = {
      idType: 'ghana_card' as const,
      idNumber: idNumberOf(phone),
      idPhoto: photo,
    }
    const body = {
      name: `${role} ${count}`,
      email,
      password,
      phone_number: phone,
      role,
      ...(role === 'driver' ? driverFields : {}),
      ...over,
    }
    const { value } = await ask('signup', { body })
    const { user, token } = present(value)
    return { user, token, email, password: body.password, phone } satisfies Person
  }

  async function verify(person: Person): Promise<Person> {
    const body = { phone_number: person.phone, code: codeSentTo(sms, person.phone) }
    await ask('confirmPhone', { body })
    return { ...person, user: { ...person.user, Verified: true } }
  }

  async function admin(): Promise<Person> {
    const { value } = await ask('login', { body: { email: adminEmail, password } })
    const { user, token } = present(value)
    return { user, token, email: adminEmail, password, phone: user.phone_number }
  }

  let reviewer: string | undefined
  async function newReviewer(): Promise<string> {
    const { token } = await admin()
    reviewer = token
    return token
  }

  const sender = async (over?: Partial<BodyOf<'signup'>>) => verify(await signUp('sender', over))

  /** Verified and approved. */
  async function driver(over?: Partial<BodyOf<'signup'>>): Promise<Person> {
    const person = await verify(await signUp('driver', over))
    const approve = async (token: string) =>
      ask('reviewDriver', { token, id: person.user.ID, body: { status: 'approved' } })
    // A test may have ended the session.
    if (reviewer) await approve(reviewer).catch(async () => approve(await newReviewer()))
    else await approve(await newReviewer())
    return { ...person, user: { ...person.user, driverStatus: 'approved' } }
  }

  const request = (over: Partial<BodyOf<'createDelivery'>> = {}): BodyOf<'createDelivery'> => ({
    itemDescription: 'Documents',
    pickupZone: 'Osu',
    dropoffZone: 'Tema',
    offer: 60.5,
    recipientName: 'Esi Recipient',
    recipientPhone: '0550000001',
    itemPhoto: photo,
    ...over,
  })

  /** Each of another guest, because a number that is not confirmed has few open requests (R151). */
  const guestRequest = (
    over: Partial<BodyOf<'createGuestDelivery'>> = {},
  ): BodyOf<'createGuestDelivery'> => ({
    ...request(),
    senderName: 'Kofi Guest',
    senderPhone: newPhone(),
    ...over,
  })

  async function delivery(by: Person, over?: Partial<BodyOf<'createDelivery'>>, key = v7()) {
    const { value } = await ask('createDelivery', { token: by.token, key, body: request(over) })
    return present(value).delivery
  }

  async function guestDelivery(over: Partial<BodyOf<'createGuestDelivery'>> = {}): Promise<Guest> {
    const body = guestRequest(over)
    const { value } = await ask('createGuestDelivery', { key: v7(), body })
    const made = present(value)
    return { token: present(made.guestToken), phone: body.senderPhone, delivery: made.delivery }
  }

  /** Takes a delivery from Pending to this status as this driver. */
  async function drive(delivery: Delivery, by: Person, to: 'Accepted' | 'Picked Up' | 'Delivered') {
    const about = { token: by.token, id: delivery.ID }
    await ask('acceptDelivery', about)
    if (to === 'Accepted') return
    await ask('changeStatus', { ...about, body: { status: 'Picked Up' } })
    if (to === 'Picked Up') return
    const code = present(delivery.deliveryCode)
    await ask('completeDelivery', { ...about, body: { code } })
  }

  const changeStatus = ({ token }: { token: string }, id: string, status: StatusChange) =>
    ask('changeStatus', { token, id, body: { status } })

  /** Reports an issue about a delivery; returns the dispute. */
  async function report(
    { token }: { token: string },
    deliveryId: string,
    issue = 'Broken',
    type: DisputeType = 'sender_issue',
  ) {
    const body = { deliveryId, issue, type, priority: 'medium' as const }
    return present((await ask('createDispute', { token, key: v7(), body })).value).dispute
  }

  /** The driver reports an attempt, waits and brings the parcel back. The clock moves by the wait. */
  async function bringBack(id: string, by: Person) {
    const about = { token: by.token, id }
    await ask('reportAttempt', { ...about, body: { reason: 'absent' } })
    clock.advance(defaultEndingTerms.wait)
    await ask('startReturn', { ...about, body: {} })
  }

  return {
    newPhone,
    bringBack,
    signUp,
    verify,
    admin,
    sender,
    driver,
    request,
    guestRequest,
    delivery,
    guestDelivery,
    drive,
    changeStatus,
    report,
  }
}

export type RawQuestion = {
  token?: string
  key?: string
  /** A string is sent unchanged, anything else as JSON. */
  body?: unknown
  headers?: Record<string, string>
  address?: string
}

function rawRequest(url: string, method: string, { token, key, body, headers }: RawQuestion) {
  const all = new Headers(headers)
  if (token) all.set('authorization', `Bearer ${token}`)
  if (key) all.set('idempotency-key', key)
  const isFile = body instanceof FormData || body instanceof Blob
  if (body !== undefined && !isFile && !all.has('content-type'))
    all.set('content-type', 'application/json')
  const asIs = typeof body === 'string' || isFile
  return new Request(url, {
    method,
    headers: all,
    body: body === undefined ? undefined : asIs ? body : JSON.stringify(body),
  })
}

function codeSentTo(sms: SmsMessage[], phone: string): string {
  const text = sms.findLast(({ to }) => to === phone)?.text
  return present(text?.match(/\b\d{6}\b/)?.[0])
}

function logInto(lines: string[]): Log {
  const write = (about: object, message: string) => {
    lines.push(`${message} ${JSON.stringify(about, (_, value) => asText(value))}`)
  }
  return { info: write, warn: write, error: write }
}

const asText = (value: unknown) =>
  value instanceof Error ? `${value.stack}\n${JSON.stringify(value.cause)}` : value

type Fetch = (request: Request, env?: { address?: string }) => Promise<Response>

function listenOn(fetch: Fetch): Promise<{ origin: string; close(): Promise<void> }> {
  return new Promise((listening) => {
    const http = serve(
      {
        fetch: (request, { incoming }) =>
          fetch(request, { address: incoming.socket.remoteAddress ?? 'unknown' }),
        port: 0,
        hostname: '127.0.0.1',
      },
      ({ port }) =>
        listening({
          origin: `http://127.0.0.1:${port}`,
          close: () =>
            new Promise((closed) => {
              http.close(() => closed())
              if ('closeAllConnections' in http) http.closeAllConnections()
            }),
        }),
    )
  })
}
