import { filledDraft, jpeg } from '../../../../helpers/device/device.ts'
import type { Fate } from '../../devices/network/faults.ts'
import type { Phone } from '../../devices/phone.ts'
import type { RareEvent } from '../generate/rare-events.ts'
import type { Simulation } from '../simulation.ts'

/** Performs one rare event. */
export async function runRareStep(
  simulation: Simulation,
  phone: Phone,
  event: RareEvent,
): Promise<void> {
  const { time, server } = simulation
  switch (event.do) {
    case 'database restarts':
      return everywhere(simulation, '503 for 2 s', event.seconds)
    case 'newer server':
    case 'outage':
      return everywhere(simulation, event.fate, event.seconds)
    case 'back up':
      return server.backUp()
    case 'restore':
      return server.restoreBackup()
    case 'open elsewhere':
      return openElsewhere(simulation, event.pick)
    case 'evict':
      return phone.evict(event.everything)
    case 'hint': {
      hint(phone, event.offline)
      time.setTimer(() => hint(phone, false), event.seconds * 1_000)
      return
    }
    case 'flap':
      return flap(simulation, phone, event.times)
    case 'set clock':
      return setClock(simulation, phone, event)
    case 'open room':
      return simulation.perform(async () => {
        const { db, engine } = phone.tab().soma
        const rows = await db.deliveries.toArray()
        const row = rows[event.pick % rows.length]
        if (row) engine.watch({ kind: 'delivery', id: row.ID })
      })
    case 'push':
      return simulation.perform(async () => {
        const rows = await phone.observer().deliveries.toArray()
        const row = rows[event.pick % rows.length]
        phone.wakeWorker(row ? `/delivery/${row.ID}` : '/drive')
      })
    case 'retake':
      return simulation.perform(async () => {
        const id = await phone.tab().soma.commands.savePhoto(jpeg, 'image/jpeg')
        phone.abandoned.add(id)
      })
    case 'burst':
      return burst(simulation, phone, event.count)
    case 'freeze': {
      for (const tab of phone.tabs) tab.freeze()
      time.setTimer(() => {
        phone.thaw()
        for (const tab of phone.tabs) if (tab.visible) tab.comeBack()
      }, event.seconds * 1_000)
      return
    }
  }
}

/** As a recovery by SMS does it (R109). */
async function openElsewhere(simulation: Simulation, pick: number): Promise<void> {
  const ofGuests = (await simulation.deliveries()).filter((each) => each.isGuestDelivery)
  const delivery = ofGuests[pick % Math.max(1, ofGuests.length)]
  if (!delivery) return
  await simulation.time.whileBusy(() =>
    simulation.server.repo.transaction(({ guestTokens }) => guestTokens.endAllOf(delivery.ID)),
  )
}

function everywhere({ phones }: Simulation, fate: Fate, seconds: number) {
  for (const { network } of phones) network.addFault({ fate, times: 1, only: 'any', seconds })
}

/** The browser's hint changes, and it tells the pages. */
function hint(phone: Phone, offline: boolean): void {
  if (phone.saysOffline === offline) return
  phone.saysOffline = offline
  for (const tab of phone.tabs)
    if (offline) tab.loseNetwork()
    else tab.comeBack()
}

async function flap({ time }: Simulation, phone: Phone, times: number): Promise<void> {
  for (let at = 0; at < times; at++) {
    phone.network.cut()
    hint(phone, true)
    await time.pass(700)
    phone.network.mend()
    hint(phone, false)
    await time.pass(300)
  }
}

async function setClock(
  { time }: Simulation,
  phone: Phone,
  { seconds, forSeconds, closed }: Extract<RareEvent, { do: 'set clock' }>,
): Promise<void> {
  if (closed) for (const tab of [...phone.tabs]) tab.kill()
  phone.skew += seconds * 1_000
  if (forSeconds !== undefined)
    time.setTimer(() => {
      phone.skew -= seconds * 1_000
    }, forSeconds * 1_000)
  if (closed) phone.openTab()
}

async function burst(simulation: Simulation, phone: Phone, count: number): Promise<void> {
  for (let at = 0; at < count; at++)
    await simulation.perform(async () => {
      const { commands } = phone.tab().soma
      const draft = await filledDraft(commands, { itemDescription: simulation.uniqueName() })
      phone.promised(await commands.requestDelivery(draft, 'guest'))
    })
}
