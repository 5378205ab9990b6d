import type { Ports } from '../../ports/ports.ts'
import { repeatedly } from '../../rules/repeatedly.ts'

const minute = 60_000
const day = 24 * 60 * minute
/** Milliseconds between two folds. Every statistic also reads the changes not yet folded. */
const interval = 10_000
/** The hour of UTC in which the rollups are verified. */
const quietHour = 2

type Needs = Pick<Ports, 'repo' | 'clock' | 'secrets' | 'log'>

/**
 * Folds changes into the rollups every ten seconds and verifies the rollups once a night. Returns the function
 * that stops it without waiting: verifying takes minutes, and another process repeats it.
 */
export function startRollups(ports: Needs): () => void {
  const { repo, clock, log } = ports
  const { end } = repeatedly(
    interval,
    async () => {
      await repo.transaction(async ({ rollups }) => rollups?.fold())
      if (new Date(clock()).getUTCHours() === quietHour && (await isFirstTonight(ports)))
        await verifyRollups(ports)
    },
    (error) =>
      log.warn({ err: error }, 'The rollups were not added up; the next try is in 10 seconds'),
  )
  return end
}

/** Whether no process has verified them tonight; then this one does. */
const isFirstTonight = ({ repo, clock, secrets }: Needs): Promise<boolean> =>
  repo.transaction(async ({ attempts }) => {
    const now = clock()
    const key = 'rollups verified'
    await attempts.lock(key)
    const isDone = (await attempts.count(key, new Date(now - day + 60 * minute).toISOString())) > 0
    if (!isDone) await attempts.add({ id: secrets.id(), key, at: new Date(now).toISOString() })
    return !isDone
  })

/** Compares the rollups with the stored rows and rebuilds them if any differ. Returns how many differed. */
export async function verifyRollups({ repo, log }: Pick<Needs, 'repo' | 'log'>): Promise<number> {
  const wrong = await repo.transaction(async ({ rollups }) => (await rollups?.countWrong()) ?? 0)
  if (wrong === 0) return 0
  log.error({ wrong }, 'Rollups differ from what is stored; they are counted anew')
  await repo.transaction(async ({ rollups }) => rollups?.rebuild())
  return wrong
}
