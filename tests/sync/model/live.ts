import { checkEffects } from './after.ts'
import type { History } from './deeds.ts'
import { asksElsewhere, begin } from './elsewhere.ts'
import { checkFold } from './fold-check.ts'
import { happen } from './happen.ts'
import type { Open } from './home.ts'
import './loaded.ts'
import { checkNews } from './news-check.ts'
import { checkDecisions } from './oversee.ts'
import { everybodyLooks, letQuietCome } from './quiet.ts'
import { checkViews } from './views.ts'
import { type Fault, type Sabotage, World } from './world.ts'

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
