import { beforeEach, expect, test } from 'vitest'
import { expireSession } from '#store/account/expire.ts'
import { loadLazy } from '#store/load-lazy.ts'
import { pullList } from '#store/pull/pull.ts'
import type { SomaDb } from '#store/soma-db.ts'
import { rowOwner } from '#sync/database/quarantine.ts'
import { contextOf } from '../../helpers/device/context.ts'
import { filledDraft } from '../../helpers/device/device.ts'
import { createNetwork, type Phone } from '../../helpers/device/phone.ts'
import { serverOfFile } from '../../sync/server-fixture.ts'

const { server, startedPhone } = serverOfFile()

/** Answers of the server wait here, once it has given them. */
let gate: Promise<void> | undefined
let open = () => {}
let held = 0
const close = () => {
  held = 0
  gate = new Promise((resolve) => {
    open = resolve
  })
}
beforeEach(() => {
  gate = undefined
})

const gatedNetwork = () =>
  createNetwork(async (request) => {
    const isLogout = request.url.endsWith('/logout')
    const answer = await server().fetch(request)
    if (gate && !isLogout) {
      held++
      await gate
    }
    return answer
  })

const someHeld = async (count: number) => {
  while (held < count) await new Promise((resolve) => setTimeout(resolve, 5))
}

async function phoneOf(someone: { email: string; password: string }) {
  const network = gatedNetwork()
  const phone = await startedPhone({}, network)
  const { ID } = await phone.session.login(someone.email, someone.password)
  await phone.settle()
  return { phone, network, account: ID }
}

/** A request of the person's that may have arrived, so that an expired login stays to be sent. */
async function leaveUnsent({ commands, db }: Phone) {
  await commands.changePhone('0244000999')
  await db.outbox.toCollection().modify({ nextAt: Number.MAX_SAFE_INTEGER, state: 'parked' })
}

type Leave = (phone: Phone, account: string) => Promise<unknown>
const device = ({ db }: Phone) => ({ db, clock: { now: () => Date.now() }, cachePrefix: '' })
const ways: [string, Leave][] = [
  ['a logout that keeps what is unsent', ({ session }) => session.logout('keep')],
  [
    'another person who logs in',
    async (phone) => {
      const other = await server().sender()
      const { signIn } = await import('#store/account/sign-in.ts')
      await signIn(device(phone), other.user, other.token)
    },
  ],
  ['local storage that was cleared', ({ session }, account) => session.clear(account)],
  [
    'a token the server no longer takes',
    async (phone, account) => expireSession(device(phone), account, await tokenOf(phone)),
  ],
  [
    'a dead token with something unsent',
    async (phone, account) => {
      await leaveUnsent(phone)
      await expireSession(device(phone), account, await tokenOf(phone))
    },
  ],
]

const tokenOf = async ({ db }: Phone) => (await db.sessions.get('current'))?.token

/** Rows of an account in any table, but its session, its unsent entries and the rows that show them. */
async function rowsOf(db: SomaDb, account: string): Promise<string[]> {
  const found: string[] = []
  const session = await db.sessions.get('current')
  // Whose login has expired still sees how their entries ended.
  const isExpired = session?.account === account && session.expired === true
  for (const table of db.tables)
    await table.each((row) => {
      const isUnsent = table.name === 'outbox' && (row.state !== 'done' || isExpired)
      const isShown = table.name === 'deliveries' && row.marks.length > 0
      const isSession = table.name === 'sessions' && row.expired === true
      const isNumber = table.name === 'revocations'
      if (rowOwner(row) === account && !isUnsent && !isShown && !isSession && !isNumber)
        found.push(`${table.name} ${JSON.stringify(row)}`)
    })
  return found
}

const lists = {
  sender: ['me', 'sent', 'sessions'],
  driver: ['me', 'driverStatus', 'jobs', 'available', 'sessions'],
  admin: [
    'me',
    'adminDeliveries',
    'adminUsers',
    'adminDrivers',
    'adminDisputes',
    'adminAudit',
    'adminPayouts',
    'adminMoney',
    'adminStats',
    'adminTrends',
    'adminActivities',
  ],
}

/** Each of these with one of those in turn: every one of both stands in a row. */
const inTurn = <A, B>(some: A[], others: B[]) =>
  Array.from(
    { length: Math.max(some.length, others.length) },
    (_, n) => [some[n % some.length] as A, others[n % others.length] as B] as const,
  )

for (const [[role, kinds], [way, leave]] of inTurn(Object.entries(lists), ways))
  test(`S59: lists of a ${role} that are on their way leave nothing after ${way}`, async () => {
    const sender = await server().sender()
    const { ID: id } = await server().delivery(sender)
    const someone =
      role === 'sender' ? sender : role === 'driver' ? await server().driver() : server().admin
    const { phone, network, account } = await phoneOf(someone)
    await phone.engine.stop()
    await phone.db.pulls.clear()
    const context = contextOf(phone.db, network.transport)
    const refs = [
      ...kinds.map((kind) => ({ kind })),
      {
        kind: role === 'admin' ? 'adminUser' : 'delivery',
        id: role === 'admin' ? sender.user.ID : id,
      },
    ]
    close()
    const pulls = refs.map((ref) => pullList(context, ref, loadLazy))
    await someHeld(refs.length)
    await leave(phone, account)
    open()
    await Promise.all(pulls)
    expect(await rowsOf(phone.db, account)).toEqual([])
  })

type Act = (phone: Phone, id: string) => Promise<unknown>
const acts: [string, 'sender' | 'driver', 'Pending' | 'Accepted' | 'Delivered', Act][] = [
  ['an approval', 'sender', 'Delivered', ({ commands }, id) => commands.approveDelivery(id)],
  ['a cancellation', 'sender', 'Pending', ({ commands }, id) => commands.cancelDelivery(id)],
  ['an accept', 'driver', 'Pending', ({ commands }, id) => commands.acceptDelivery(id)],
  ['a pick-up', 'driver', 'Accepted', ({ commands }, id) => commands.pickUpDelivery(id)],
  ['a report', 'sender', 'Pending', ({ commands }, id) => commands.reportIssue(id, 'Late')],
]

for (const [[name, role, status, act], [way, leave]] of inTurn(acts, ways.slice(0, 4)))
  test(`S59: ${name} that is on its way leaves nothing after ${way}`, async () => {
    const [sender, driver] = [await server().sender(), await server().driver()]
    const made = await server().delivery(sender)
    if (status !== 'Pending') await server().drive(made, driver, status)
    const { phone, account } = await phoneOf(role === 'sender' ? sender : driver)
    close()
    await act(phone, made.ID)
    const sent = phone.engine.wake()
    await someHeld(1)
    await leave(phone, account)
    gate = undefined
    open()
    await sent
    // A login that has expired comes back, and its row with it, by nobody but the person.
    expect(await rowsOf(phone.db, account)).toEqual([])
  })

test('S59: a request on its way while its person logs out leaves neither row nor entry', async () => {
  const { phone, account } = await phoneOf(await server().sender())
  const id = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'account')
  close()
  const sent = phone.engine.wake()
  await someHeld(1)
  await phone.session.logout('keep')
  gate = undefined
  open()
  await sent
  await phone.engine.wake()
  expect(await phone.db.deliveries.get([account, id])).toSatisfy(
    (row) => row === undefined || row.view.deliveryCode === undefined,
  )
})
