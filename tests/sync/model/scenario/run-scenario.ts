import { checkEffects } from '../oracles/effects.ts'
import { checkFold } from '../oracles/projection.ts'
import { asksElsewhere, begin } from './other-device.ts'
import { happen } from './run-step.ts'
import type { History } from './scenarios.ts'
import type { Open } from './seed-data.ts'
import '../loaded.ts'
import { checkDecisions } from '../oracles/decisions.ts'
import { checkNews } from '../oracles/events.ts'
import { everybodyLooks, letQuietCome } from '../oracles/settled.ts'
import { checkViews } from '../oracles/views.ts'
import { type Fault, type Sabotage, World } from './settings.ts'

/** Lives one history to its quiet end and tells what was found wrong; the first fault ends it. */
export async function live(
  open: Open,
  { seed, owners, steps, ...customs }: History,
  sabotage: Sabotage = {},
  told?: (world: World) => void,
): Promise<Fault[]> {
  const world = new World(seed, customs, sabotage)
  try {
    await world.found(open)
    for (const who of ['kofi', 'newcomer'] as const) await asksElsewhere(world, who)
    if (customs.begun) await begin(world, customs.begun)
    await world.handOut(owners)
    for (const { pace, ...deed } of steps) {
      await world.time.pass(1)
      await happen(world, deed)
      await world.pace(pace)
      if (world.faults.length > 0) return world.faults
    }
    await letQuietCome(world)
    await checkSight(world)
    await checkFold(world)
    await checkEffects(world)
    if (customs.news && world.faults.length === 0) await checkNews(world)
    told?.(world)
    return world.faults
  } finally {
    await world.end()
  }
}

/** Of so many histories one is looked at a second time though the first look has brought everything. */
const looksTwice = 4

/** What everybody is shown, all of it, when they have looked once, or twice where that changed whose lists they have. */
async function checkSight(world: World): Promise<void> {
  const before = world.faults.length
  await everybodyLooks(world)
  await checkShown(world)
  const isRight = world.faults.length === before
  if (isRight && world.number() % looksTwice > 0) return
  world.faults.length = before
  await everybodyLooks(world)
  await checkShown(world)
}

async function checkShown(world: World): Promise<void> {
  await checkViews(world)
  await checkDecisions(world)
}
