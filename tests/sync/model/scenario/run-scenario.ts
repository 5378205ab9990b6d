import { checkEffects } from '../oracles/effects.ts'
import { checkProjection } from '../oracles/projection.ts'
import type { Scenario } from './generate/scenarios.ts'
import type { Open } from './seed-data.ts'
import { beginDelivery, requestElsewhere } from './steps/other-device.ts'
import { runStep } from './steps/run-step.ts'
import { scrollShortLists } from './steps/scroll.ts'
import '../loaded.ts'
import { checkCancelHolds } from '../oracles/cancel-holds.ts'
import { checkDecisions } from '../oracles/decisions.ts'
import { checkEvents } from '../oracles/events.ts'
import { checkLeftovers } from '../oracles/leftovers.ts'
import { checkPolling } from '../oracles/polling.ts'
import { settle, showEveryPhone } from '../oracles/settled.ts'
import { checkViews } from '../oracles/views.ts'
import { type Fault, type Sabotage, Simulation } from './simulation.ts'

/** Runs one scenario until nothing is left to send, and returns the faults the oracles found; the first ends it. */
export async function runScenario(
  open: Open,
  { seed, owners, steps, ...settings }: Scenario,
  sabotage: Sabotage = {},
  inspect?: (simulation: Simulation) => void,
): Promise<Fault[]> {
  const simulation = new Simulation(seed, settings, sabotage)
  try {
    await simulation.startServer(open)
    for (const who of ['kofi', 'newcomer'] as const) await requestElsewhere(simulation, who)
    if (settings.startsAt) await beginDelivery(simulation, settings.startsAt)
    await simulation.createPhones(owners)
    for (const { pace, ...action } of steps) {
      await simulation.time.pass(1)
      await runStep(simulation, action)
      await simulation.pace(pace)
      if (simulation.faults.length > 0) return simulation.faults
    }
    await settle(simulation)
    await checkAllViews(simulation)
    await checkProjection(simulation)
    await checkEffects(simulation)
    await checkLeftovers(simulation)
    if (!settings.eventStream && simulation.faults.length === 0)
      await checkPolling(simulation, settings.listFails)
    if (settings.eventStream && simulation.faults.length === 0) await checkEvents(simulation)
    if (simulation.faults.length === 0) await checkCancelHolds(simulation)
    inspect?.(simulation)
    return simulation.faults
  } finally {
    await simulation.close()
  }
}

/** One scenario in four refreshes a second time although the first refresh showed everything. */
const secondLookEvery = 4

/** Checks what every phone shows after one refresh, or after two when the first changed which lists it has. */
async function checkAllViews(simulation: Simulation): Promise<void> {
  const before = simulation.faults.length
  await showEveryPhone(simulation)
  await scrollShortLists(simulation)
  await checkShown(simulation)
  const isRight = simulation.faults.length === before
  if (isRight && simulation.randomNumber() % secondLookEvery > 0) return
  simulation.faults.length = before
  await showEveryPhone(simulation)
  await scrollShortLists(simulation)
  await checkShown(simulation)
}

async function checkShown(simulation: Simulation): Promise<void> {
  await checkViews(simulation)
  await checkDecisions(simulation)
}
