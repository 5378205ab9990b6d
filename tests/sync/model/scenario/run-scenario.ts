import { checkEffects } from '../oracles/effects.ts'
import { checkProjection } from '../oracles/projection.ts'
import { beginDelivery, requestElsewhere } from './other-device.ts'
import { runStep } from './run-step.ts'
import type { Scenario } from './scenarios.ts'
import type { Open } from './seed-data.ts'
import '../loaded.ts'
import { checkDecisions } from '../oracles/decisions.ts'
import { checkEvents } from '../oracles/events.ts'
import { settle, showEveryPhone } from '../oracles/settled.ts'
import { checkViews } from '../oracles/views.ts'
import { type Fault, type Sabotage, Simulation } from './settings.ts'

/** Runs one scenario until nothing is left to send, and returns the faults the oracles found; the first ends it. */
export async function runScenario(
  open: Open,
  { seed, owners, steps, ...settings }: Scenario,
  sabotage: Sabotage = {},
  inspect?: (world: Simulation) => void,
): Promise<Fault[]> {
  const world = new Simulation(seed, settings, sabotage)
  try {
    await world.startServer(open)
    for (const who of ['kofi', 'newcomer'] as const) await requestElsewhere(world, who)
    if (settings.startsAt) await beginDelivery(world, settings.startsAt)
    await world.createPhones(owners)
    for (const { pace, ...action } of steps) {
      await world.time.pass(1)
      await runStep(world, action)
      await world.pace(pace)
      if (world.faults.length > 0) return world.faults
    }
    await settle(world)
    await checkAllViews(world)
    await checkProjection(world)
    await checkEffects(world)
    if (settings.eventStream && world.faults.length === 0) await checkEvents(world)
    inspect?.(world)
    return world.faults
  } finally {
    await world.close()
  }
}

/** One scenario of so many is looked at a second time although the first look showed everything. */
const secondLookEvery = 4

/** What everybody is shown, all of it, when they have looked once, or twice where that changed whose lists they have. */
async function checkAllViews(world: Simulation): Promise<void> {
  const before = world.faults.length
  await showEveryPhone(world)
  await checkShown(world)
  const isRight = world.faults.length === before
  if (isRight && world.randomNumber() % secondLookEvery > 0) return
  world.faults.length = before
  await showEveryPhone(world)
  await checkShown(world)
}

async function checkShown(world: Simulation): Promise<void> {
  await checkViews(world)
  await checkDecisions(world)
}
