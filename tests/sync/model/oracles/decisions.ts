import type { Dispute } from '#domain/deliveries/dispute.ts'
import type { DriverApplication } from '#domain/users/driver.ts'
import type { Entry } from '#store/entries/operations.ts'
import type { Soma } from '#store/open.ts'
import type { Phone } from '../devices/phone.ts'
import type { Simulation } from '../scenario/simulation.ts'
import { picked } from '../scenario/steps/actions.ts'
import { same } from './reference/same.ts'

/** The n-th decision an admin could take. */
export async function decideAsAdmin(
  simulation: Simulation,
  { db, commands }: Soma,
  pick: number,
): Promise<void> {
  const [drivers, disputes, zones] = [
    await db.drivers.toArray(),
    await db.disputes.toArray(),
    await db.zones.toArray(),
  ]
  const ways: (() => Promise<unknown>)[] = [
    ...disputes.map(
      ({ ID }) =>
        () =>
          commands.resolveDispute(ID, simulation.uniqueName()),
    ),
    ...drivers.map(
      ({ ID }) =>
        () =>
          commands.reviewDriver(ID, 'approved'),
    ),
    () => commands.addZone(simulation.uniqueName()),
    () => commands.addItem(simulation.uniqueName()),
    ...drivers.map(
      ({ ID }) =>
        () =>
          commands.reviewDriver(ID, 'rejected'),
    ),
    // Only zones added by the simulation are removed: deliveries use the others.
    ...zones
      .filter(({ Name }) => Name.startsWith('Box'))
      .map(
        ({ ID }) =>
          () =>
            commands.removeZone(ID),
      ),
    ...zones.map(
      ({ ID }) =>
        () =>
          commands.changeZone(ID, { lat: 5.6, lng: -0.2, roads: [] }),
    ),
  ]
  if (disputes.length === 0) await reportIssueElsewhere(simulation)
  await picked(ways, pick)?.()
}

/** A sender without a simulated phone reports an issue with a delivery. */
export async function reportIssueElsewhere(simulation: Simulation): Promise<void> {
  const { residents, tokens } = simulation.server
  for (const { ID, sender } of await simulation.deliveries())
    for (const name of ['ama', 'kofi'] as const)
      if (sender?.id === residents[name].user.ID) {
        const body = {
          deliveryId: ID,
          issue: simulation.uniqueName(),
          type: 'sender_issue',
          priority: 'medium',
        }
        return simulation.callElsewhere('createDispute', { token: tokens[name], body })
      }
}

type ServerState = Awaited<ReturnType<typeof readServer>>

const readServer = (simulation: Simulation) =>
  simulation.time.whileBusy(() =>
    simulation.server.repo.read(async ({ applications, disputes, zones, items }) => ({
      drivers: (await applications.list({ limit: 1_000 })).rows,
      disputes: (await disputes.list({ limit: 1_000 })).rows,
      zones: await zones.list(),
      items: await items.list(),
    })),
  )

/** Checks the results of admins' decisions, and what every phone shows of them, after all is settled. */
export async function checkDecisions(simulation: Simulation): Promise<void> {
  const stored = await readServer(simulation)
  for (const phone of simulation.phones) {
    await checkChoices(simulation, phone, stored)
    await checkPages(simulation, phone, stored)
    for (const entry of phone.outboxOracle.entries.values())
      checkDecision(simulation, phone, entry, stored)
  }
}

async function checkChoices(simulation: Simulation, phone: Phone, { zones, items }: ServerState) {
  const db = phone.observer()
  const held = await simulation.time.whileBusy(async () => [
    await db.zones.toArray(),
    await db.items.toArray(),
  ])
  const names = (all: { Name: string }[] = []) => all.map(({ Name }) => Name).sort()
  for (const [at, there] of [zones, items].entries())
    if (!same(names(held[at]), names(there)))
      simulation.reportFault(
        'S5',
        `${phone.name} offers ${names(held[at])} where there are ${names(there)}`,
      )
}

/** Checks an admin's pages while one is logged in whose lists are subscribed. */
async function checkPages(
  simulation: Simulation,
  phone: Phone,
  { drivers, disputes }: ServerState,
) {
  const session = await simulation.time.whileBusy(() => phone.session())
  if (!phone.watchesAdminLists || !session || session.expired || session.user.role !== 'admin')
    return
  const db = phone.observer()
  const keysOf = async (list: string) =>
    ((await db.pages.get([session.account, list, '']))?.ids ?? []).map((id): [string, string] => [
      session.account,
      id,
    ])
  const held = await simulation.time.whileBusy(async () => ({
    drivers: await db.drivers.bulkGet(await keysOf('adminDrivers')),
    disputes: await db.disputes.bulkGet(await keysOf('adminDisputes')),
  }))
  const open = disputes.filter(({ status }) => status !== 'resolved')
  const say = (what: string, has: string[], there: string[]) => {
    if (!same(has, there))
      simulation.reportFault('S5', `${phone.name} has ${what} ${has} and not ${there}`)
  }
  const applied = (all: (DriverApplication | undefined)[]) =>
    all.map((each) => `${each?.ID} ${each?.Status}`).sort()
  const issues = (all: (Dispute | undefined)[]) => all.map((each) => `${each?.issue}`).sort()
  say('drivers', applied(held.drivers), applied(drivers))
  say('disputes', issues(held.disputes), issues(open))
}

function checkDecision(
  simulation: Simulation,
  phone: Phone,
  entry: Entry,
  { disputes, zones, items }: ServerState,
) {
  const { id, op, state, input } = entry
  // What a restore undid of a decision is said by the list that shows it open again.
  const isKnown = state === 'done' && !simulation.server.wasRestored()
  const say = (what: string) =>
    simulation.reportFault('S7', `${phone.name}: ${op} ${id} is ${state}, ${what}`)
  if (op === 'resolveDispute' && 'resolution' in input) {
    const happened = disputes.some(({ resolution }) => resolution === input.resolution)
    if (isKnown && !happened) say('and the server knows nothing of it')
    if (state === 'refused' && happened) say('and the server has done it')
  }
  if (op === 'addZone' || op === 'addItem') {
    const happened = [...zones, ...items].some(({ ID }) => ID === id)
    if (state === 'refused' && happened) say('and the server has done it')
    const removed = [...phone.outboxOracle.entries.values()].some(
      (other) => other.op === 'removeZone' && 'id' in other.input && other.input.id === id,
    )
    if (isKnown && !happened && !removed && simulation.phones.length === 1)
      say('and the server knows nothing of it')
  }
}
