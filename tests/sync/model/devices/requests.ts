import type { ChangeEvent } from '#server/ports/change-events.ts'
import type { Repo } from '#server/ports/repo.ts'
import { untilListening } from '../../../helpers/server/heard-events.ts'
import type { SimulatedTime } from './clock.ts'

/**
 * Wraps the repo and reports to the clock what its database does in real time: an event that is published
 * and not yet received is pending, and a read is work.
 */
export async function withEventTracking(repo: Repo, time: SimulatedTime): Promise<Repo> {
  const announced = counter()
  const heard = counter()
  await untilListening(repo)
  const stop = repo.listen(
    (news) => heard.add(nameOf(news)),
    () => {},
  )

  async function untilHeard(name: string) {
    while (heard.of(name) < announced.of(name)) await turnOfLoop()
  }

  return {
    ...repo,
    read: (work) => time.whileBusy(() => repo.read(work)),
    transaction: (work) =>
      time.whileBusy(async () => {
        // One of the databases publishes an event once that was announced twice in a transaction.
        let names = new Set<string>()
        const done = await repo.transaction(async (stores) => {
          names = new Set()
          const announce = async (news: ChangeEvent) => {
            names.add(nameOf(news))
            await stores.publish(news)
          }
          return work({ ...stores, publish: announce })
        })
        for (const name of names) {
          announced.add(name)
          void time.whileBusy(() => untilHeard(name))
        }
        return done
      }),
    close: async () => {
      stop()
      await repo.close()
    },
  }
}

function counter() {
  const counts = new Map<string, number>()
  return {
    of: (name: string) => counts.get(name) ?? 0,
    add: (name: string) => void counts.set(name, (counts.get(name) ?? 0) + 1),
  }
}

const nameOf = (news: ChangeEvent) => JSON.stringify(news)
const turnOfLoop = () => new Promise<void>((resolve) => void setImmediate(resolve))
