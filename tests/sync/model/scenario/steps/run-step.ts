import { AttemptReason } from '#domain/deliveries/endings/incidents.ts'
import { times } from '#domain/product.ts'
import { can } from '#operations/rules.ts'
import type { Soma } from '#store/open.ts'
import * as lists from '#store/queries/lists.ts'
import * as outboxQueries from '#store/queries/outbox/outbox.ts'
import * as queries from '#store/queries/queries.ts'
import { room } from '#store/queries/room.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { filledDraft, jpeg } from '../../../../helpers/device/device.ts'
import type { Phone } from '../../devices/phone.ts'
import { decideAsAdmin } from '../../oracles/decisions.ts'
import { checkProjection } from '../../oracles/projection.ts'
import type { ScenarioAction } from '../generate/scenarios.ts'
import type { Simulation } from '../simulation.ts'
import { actions, type PartyAction, picked } from './actions.ts'
import { finish } from './finish.ts'
import { cancelElsewhere, carry, doSomethingElsewhere } from './other-device.ts'
import { runRareStep } from './rare-steps.ts'

const anyWay = { from: '*', to: '*', days: [1], notify: false }

/** Performs one action; an action that is not possible now does nothing. */
export async function runStep(simulation: Simulation, action: ScenarioAction): Promise<void> {
  const { time, server } = simulation
  const phone = 'phone' in action ? simulation.phone(action.phone) : simulation.phone(0)
  const soma = () => phone.tab().soma
  switch (action.do) {
    case 'request':
      return simulation.perform(() => request(simulation, phone, action.mode))
    case 'act':
      return simulation.perform(() => act(simulation, phone, action.pick, action.right))
    case 'finish':
      return finish(simulation, phone, action.pick)
    case 'report':
      return simulation.perform(async () => {
        const rows = await rowsOf(soma())
        const row = rows[action.pick % rows.length]
        if (row) await soma().commands.reportIssue(row.ID, simulation.uniqueName())
      })
    case 'change phone':
      return simulation.perform(() =>
        soma().commands.changePhone(
          `05${String(10_000_000 + simulation.randomNumber()).slice(0, 8)}`,
        ),
      )
    case 'change commutes':
      return simulation.perform(() =>
        soma().commands.changeCommutes((now) => {
          const minutes = String(action.pick).padStart(2, '0')
          const added = { ...anyWay, leaves: `07:${minutes}` }
          return action.pick % 3 === 0 ? now.slice(1) : [...now.slice(-4), added]
        }),
      )
    case 'repair':
      return simulation.perform(() => repair(soma(), action.pick, action.how))
    case 'log in':
      return void simulation.login(soma(), action.who)
    case 'log out':
      return logOut(simulation, phone, action.unsent)
    case 'tab':
      return tab(phone, action.what)
    case 'crash':
      return (action.who === 'worker' ? phone.wakeWorker() : phone.tab()).crashAfter(action.steps)
    case 'network fault':
      return phone.network.addFault(action.fault)
    case 'cut':
      return phone.network.cut()
    case 'mend':
      phone.network.mend()
      for (const tab of phone.tabs) tab.comeBack()
      return
    case 'pass':
      if (action.looking) return time.pass(action.seconds * 1000)
      return simulation.pass(action.seconds * 1000)
    case 'stream':
      return phone.network.addStreamFault(action.fate)
    case 'jump':
      phone.skew += action.seconds * 1000
      return
    case 'fill':
      phone.writesWithoutRoom = action.writes
      return
    case 'close database':
      // As Dexie does when another version of the app opens the database.
      return soma().db.close({ disableAutoOpen: false })
    case 'elsewhere':
      return doSomethingElsewhere(simulation, action.pick)
    case 'carry':
      return carry(simulation, action.pick, action.to)
    case 'cancel':
      return cancelElsewhere(simulation, action.by)
    case 'end holds':
      return server.endHolds()
    case 'review': {
      const id = server.residents[action.who].user.ID
      const body = { status: action.status }
      return simulation.callElsewhere('reviewDriver', { id, body, token: server.tokens.admin })
    }
    case 'end sessions':
      return simulation.endSessions(action.who)
    case 'restart':
      return server.restart()
    case 'look':
      await time.rest()
      return checkProjection(simulation)
    default:
      return runRareStep(simulation, phone, action)
  }
}

async function request(simulation: Simulation, phone: Phone, mode: 'guest' | 'account') {
  const { commands } = phone.tab().soma
  const draft = await filledDraft(commands, { itemDescription: simulation.uniqueName() })
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

async function act(simulation: Simulation, phone: Phone, pick: number, right: boolean) {
  const { db, commands } = phone.tab().soma
  const session = await queries.viewerSession(db)
  if (session?.user.role === 'admin') return decideAsAdmin(simulation, phone.tab().soma, pick)
  const possible: [PartyAction, DeliveryRow][] = []
  for (const row of await rowsOf(phone.tab().soma)) {
    const who = (await room(db, row.ID))?.who
    for (const action of actions) if (can(who, action, row.view)) possible.push([action, row])
  }
  possible.sort(([a], [b]) => actions.indexOf(a) - actions.indexOf(b))
  const [action, row] = picked(possible, pick) ?? []
  if (!action || !row) return
  const hold = right ? {} : { holdFor: times.undo }
  switch (action) {
    case 'completeDelivery': {
      const told =
        (await simulation.deliveries()).find(({ ID }) => ID === row.ID)?.deliveryCode ?? '00000'
      const wrong = told === '11111' ? '22222' : '11111'
      return phone.promised(await commands.completeDelivery(row.ID, right ? told : wrong))
    }
    case 'acceptDelivery':
      return phone.promised(await commands.acceptDelivery(row.ID))
    case 'attachProof':
      return phone.promised(
        await commands.attachProof(row.ID, await commands.savePhoto(jpeg, 'image/jpeg')),
      )
    case 'approveDelivery':
      return phone.promised(
        await commands.approveDelivery(
          row.ID,
          right ? {} : { tip: 1 + (pick % 5), paidBy: pick % 2 ? 'cash' : 'momo' },
        ),
      )
    case 'cancelDelivery':
      return commands.cancelDelivery(row.ID, right ? '' : simulation.uniqueName())
    case 'releaseJob':
      return phone.promised(await commands.releaseJob(row.ID, simulation.uniqueName()))
    case 'raiseOffer':
      return phone.promised(await commands.raiseOffer(row.ID, row.view.offer + 1 + (pick % 5)))
    case 'contestPickUp':
      return phone.promised(await commands.contestPickUp(row.ID, simulation.uniqueName()))
    case 'reportAttempt': {
      const photo = right ? undefined : await commands.savePhoto(jpeg, 'image/jpeg')
      const reason = AttemptReason.options[pick % AttemptReason.options.length] ?? 'absent'
      return phone.promised(await commands.reportAttempt(row.ID, { reason, photo }))
    }
    case 'startReturn':
      return phone.promised(await commands.startReturn(row.ID, undefined, hold))
    case 'rateDelivery':
      return phone.promised(await commands.rateDelivery(row.ID, { stars: 1 + (pick % 5) }, hold))
    default:
      return phone.promised(await commands[action](row.ID))
  }
}

async function repair({ db, commands }: Soma, pick: number, how: 'discard' | 'retry' | 'edit') {
  const open = (await outboxQueries.outbox(db)).filter(
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

async function logOut(simulation: Simulation, phone: Phone, unsent: 'send' | 'keep' | 'discard') {
  const session = await simulation.time.whileBusy(() => phone.session())
  if (unsent === 'discard' && session) phone.outboxOracle.onDiscard(session.account)
  void phone.tab().soma.session.logout(unsent).catch(simulation.reportUnexpected)
}
