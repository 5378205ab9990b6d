import { type Action, can } from '#domain/permissions.ts'
import * as lists from '#store/queries/lists.ts'
import * as queries from '#store/queries/queries.ts'
import type { DeliveryRow } from '#store/rows.ts'
import type { Soma } from '#sync/open.ts'
import { filledDraft, jpeg } from '../../../helpers/device.ts'
import type { Phone } from '../devices/phone.ts'
import { oversee } from '../oracles/decisions.ts'
import { checkFold } from '../oracles/projection.ts'
import { actions, picked } from './actions.ts'
import { finish } from './finish.ts'
import { carry, elsewhere } from './other-device.ts'
import type { Deed } from './scenarios.ts'
import type { World } from './settings.ts'

/** Makes one deed happen in the world; what cannot happen there and then does not. */
export async function happen(world: World, deed: Deed): Promise<void> {
  const { time, home } = world
  const phone = 'phone' in deed ? world.phone(deed.phone) : world.phone(0)
  const soma = () => phone.tab().soma
  switch (deed.do) {
    case 'request':
      return world.does(() => request(world, phone, deed.mode))
    case 'act':
      return world.does(() => act(world, phone, deed.pick, deed.right))
    case 'finish':
      return finish(world, phone, deed.pick)
    case 'report':
      return world.does(async () => {
        const rows = await rowsOf(soma())
        const row = rows[deed.pick % rows.length]
        if (row) await soma().commands.reportIssue(row.ID, world.name())
      })
    case 'change phone':
      return world.does(() =>
        soma().commands.changePhone(`05${String(10_000_000 + world.number()).slice(0, 8)}`),
      )
    case 'repair':
      return world.does(() => repair(soma(), deed.pick, deed.how))
    case 'log in':
      return void world.login(soma(), deed.who)
    case 'log out':
      return logOut(world, phone, deed.unsent)
    case 'tab':
      return tab(phone, deed.what)
    case 'doom':
      return (deed.who === 'worker' ? phone.wakeWorker() : phone.tab()).doom(deed.steps)
    case 'weather':
      return phone.road.meet(deed.weather)
    case 'cut':
      return phone.road.cut()
    case 'mend':
      phone.road.mend()
      for (const tab of phone.tabs) tab.comeBack()
      return
    case 'pass':
      if (deed.looking) return time.pass(deed.seconds * 1000)
      return world.pass(deed.seconds * 1000)
    case 'stream':
      return phone.road.befallStream(deed.fate)
    case 'jump':
      phone.skew += deed.seconds * 1000
      return
    case 'fill':
      phone.writesWithoutRoom = deed.writes
      return
    case 'close database':
      // What Dexie does when another version of the app wants to open it.
      return soma().db.close({ disableAutoOpen: false })
    case 'elsewhere':
      return elsewhere(world, deed.pick)
    case 'carry':
      return carry(world, deed.pick, deed.to)
    case 'review': {
      const id = home.residents[deed.who].user.ID
      const body = { status: deed.status }
      return world.elsewhere('reviewDriver', { id, body, token: home.tokens.admin })
    }
    case 'end sessions':
      return world.endSessions(deed.who)
    case 'restart':
      return home.restart()
    case 'look':
      await time.rest()
      return checkFold(world)
  }
}

async function request(world: World, phone: Phone, mode: 'guest' | 'account') {
  const { commands } = phone.tab().soma
  const draft = await filledDraft(commands, { itemDescription: world.name() })
  phone.promised(await commands.requestDelivery(draft, mode))
}

async function rowsOf({ db }: Soma): Promise<DeliveryRow[]> {
  const guests = await db.deliveries
    .where('[account+sentAt]')
    .between(['guest', ''], ['guest', '\uffff'])
    .toArray()
  return [
    ...(await lists.sent(db)),
    ...(await lists.jobs(db)),
    ...(await lists.available(db)),
    ...guests,
  ]
}

async function act(world: World, phone: Phone, pick: number, right: boolean) {
  const { db, commands } = phone.tab().soma
  const session = await queries.currentSession(db)
  if (session?.user.role === 'admin') return oversee(world, phone.tab().soma, pick)
  const possible: [Action, DeliveryRow][] = []
  for (const row of await rowsOf(phone.tab().soma)) {
    const actor = await queries.actor(db, row.ID)
    for (const action of actions) if (can(actor, action, row.view)) possible.push([action, row])
  }
  possible.sort(([a], [b]) => actions.indexOf(a) - actions.indexOf(b))
  const [action, row] = picked(possible, pick) ?? []
  if (!action || !row) return
  switch (action) {
    case 'completeDelivery': {
      const told =
        (await world.deliveries()).find(({ ID }) => ID === row.ID)?.deliveryCode ?? '00000'
      const wrong = told === '11111' ? '22222' : '11111'
      return phone.promised(await commands.completeDelivery(row.ID, right ? told : wrong))
    }
    case 'attachProof':
      return phone.promised(
        await commands.attachProof(row.ID, await commands.keepPhoto(jpeg, 'image/jpeg')),
      )
    case 'cancelDelivery':
      return commands.cancelDelivery(row.ID)
    default:
      return phone.promised(await commands[action](row.ID))
  }
}

async function repair({ db, commands }: Soma, pick: number, how: 'discard' | 'retry' | 'edit') {
  const open = (await queries.outbox(db)).filter(
    ({ state }) => state !== 'done' && state !== 'cancelled',
  )
  const entry = open[pick % open.length]
  if (!entry) return
  if (how === 'edit') await commands.editAndResend(entry.id)
  else await commands[how](entry.id)
}

async function tab(phone: Phone, what: 'open' | 'close' | 'kill' | 'look' | 'worker') {
  switch (what) {
    case 'open':
      if (phone.tabs.length < 3) phone.openTab()
      return
    case 'close':
      return void phone.tab().close()
    case 'kill':
      return phone.tab().kill()
    case 'look':
      return phone.tab().comeBack()
    case 'worker':
      return void phone.wakeWorker()
  }
}

async function logOut(world: World, phone: Phone, unsent: 'send' | 'keep' | 'discard') {
  const session = await world.time.during(() => phone.session())
  if (unsent === 'discard' && session) phone.witness.discards(session.account)
  void phone.tab().soma.session.logout(unsent).catch(world.excuse)
}
