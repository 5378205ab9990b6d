import { updateRequired } from '#sync/database/device/update.ts'
import type { Phone } from '../devices/phone.ts'
import type { Role } from '../scenario/seed-data.ts'
import type { Simulation } from '../scenario/simulation.ts'
import { isInDoubt, isMoved, meansToSend } from './reference/states.ts'

const minute = 60_000
/** The longest back-off and a killed sender's lease, with some margin. */
const movesWithin = 11 * minute
/** An hour of failures, and the longest back-off once more. */
const parksWithin = 60 * minute + movesWithin
const hour = 60 * minute
const day = 24 * hour
/** An answer of each list, at its slowest interval. */
const answersWithin = 2 * minute
/** The part of each day in which all devices sleep. */
const night = 20 * 60 * minute

/** Ends all faults and lets time pass with every phone hidden: waiting entries are sent (S9). */
export async function settle(simulation: Simulation): Promise<void> {
  simulation.server.spare()
  for (const phone of simulation.phones) {
    phone.network.clear()
    phone.writesWithoutRoom = 0
    for (const tab of phone.tabs) tab.crashAfter(Number.POSITIVE_INFINITY)
    phone.tab()
  }
  await simulation.settle()
  await lookAtUpdates(simulation)
  await updateApps(simulation)
  await simulation.pass(movesWithin)
  for (const phone of simulation.phones) await signInAgain(simulation, phone)
  if (await anyWaiting(simulation)) await simulation.pass(parksWithin)
  if (simulation.phones.some(({ outboxOracle }) => outboxOracle.stored().some(isInDoubt)))
    await settleDoubts(simulation)
  // What a restored server lost leaves a phone once it was missed twice (S36, S54).
  if (simulation.server.wasRestored()) await lookAtLosses(simulation)
  await checkOthersSent(simulation)
  for (const { network } of simulation.phones) network.clearAll()
  // What is parked is tried after its day, and what waits for it goes along.
  if (await anyWaiting(simulation)) await passDay(simulation)
  await checkAllSent(simulation)
}

/** S73: where the backend withdraws nothing, the person has it sent after all. */
async function settleDoubts(simulation: Simulation) {
  for (const phone of simulation.phones)
    for (const { id } of phone.outboxOracle.stored().filter(isInDoubt))
      await simulation.perform(() => phone.tab().soma.commands.retry(id))
  await simulation.pass(movesWithin)
}

/** S80: a guest's delivery that is over is asked for once an hour, and refused twice before it goes. */
async function lookAtLosses(simulation: Simulation) {
  for (let times = 0; times < 2; times++) {
    await look(simulation, simulation.phones)
    await simulation.pass(hour)
  }
  await look(simulation, simulation.phones)
}

/** S48: a phone whose app was too old asks the server while a person looks whether it still is. */
async function lookAtUpdates(simulation: Simulation) {
  const tooOld: Phone[] = []
  for (const phone of simulation.phones)
    if (await simulation.time.whileBusy(async () => updateRequired(phone.observer())))
      tooOld.push(phone)
  if (tooOld.length > 0) await look(simulation, tooOld)
}

/** S48: what a phone could not read it asks for again after an update of its app. */
async function updateApps(simulation: Simulation) {
  for (const phone of simulation.phones) {
    const unread = await simulation.time.whileBusy(async () =>
      phone
        .observer()
        .setAside.filter(({ row }) => row !== undefined)
        .modify({ build: 0 }),
    )
    if (unread === 0) continue
    for (const tab of [...phone.tabs]) tab.kill()
    phone.openTab()
  }
}

async function look(simulation: Simulation, phones: readonly Phone[]) {
  for (const phone of phones) {
    const tab = phone.tab()
    tab.visible = true
    tab.comeBack()
  }
  await simulation.time.pass(answersWithin)
}

async function passDay(simulation: Simulation) {
  simulation.time.sleepThrough(night)
  await simulation.pass(day - night + movesWithin)
}

/** Shows every phone for a moment, so that all its lists are polled. */
export async function showEveryPhone(simulation: Simulation): Promise<void> {
  for (const phone of simulation.phones) {
    const tab = phone.tab()
    tab.visible = true
    tab.comeBack()
  }
  await simulation.pass(1_000)
  for (const phone of simulation.phones) for (const tab of phone.tabs) tab.visible = false
}

/** Logs in again wherever a session has ended. */
async function signInAgain(simulation: Simulation, phone: Phone) {
  const session = await simulation.time.whileBusy(() => phone.session())
  if (!session?.expired) return
  const { residents } = simulation.server
  const who = (Object.keys(residents) as Role[]).find(
    (name) => residents[name].user.ID === session.account,
  )
  if (!who) return
  void simulation.login(phone.tab().soma, who)
  await simulation.settle()
}

async function waiting(simulation: Simulation, phone: Phone) {
  const session = await simulation.time.whileBusy(() => phone.session())
  const accounts = ['guest', session?.expired ? '' : session?.account]
  return phone.outboxOracle
    .stored()
    .filter((entry) => accounts.includes(entry.account) && meansToSend(entry))
}

async function anyWaiting(simulation: Simulation): Promise<boolean> {
  for (const phone of simulation.phones)
    if ((await waiting(simulation, phone)).length > 0) return true
  return false
}

/** S16: a deferred entry blocks only the entries that depend on it. */
async function checkOthersSent(simulation: Simulation) {
  for (const phone of simulation.phones) {
    const wait = await waiting(simulation, phone)
    const held = new Set<string>()
    for (const entry of wait.sort((a, b) => a.seq - b.seq)) {
      const { id, op, account, lane, state, after } = entry
      const inLane = `${account} ${lane}`
      if (state !== 'parked' && !held.has(inLane) && !after.some((parent) => held.has(parent)))
        simulation.reportFault(
          'S16',
          `${phone.name}: ${op} ${id} is still ${state}, and nothing is before it`,
        )
      held.add(inLane).add(id)
    }
  }
}

async function checkAllSent(simulation: Simulation) {
  for (const phone of simulation.phones) {
    const wait = await waiting(simulation, phone)
    const moved = wait.filter(isMoved).map(({ lane }) => lane)
    const due = wait.filter(({ lane }) => !moved.includes(lane))
    for (const { op, id, state, error } of due)
      simulation.reportFault(
        'S9',
        `${phone.name}: ${op} ${id} is still ${state} (${error?.message})`,
      )
  }
}
