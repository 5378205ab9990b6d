import type { Network } from './phone.ts'

const rounds = 20
const turnsOfRound = 10

/**
 * Resolves once no request of these networks is under way and none has left for many turns of the event loop, each of which does one
 * step of each database: what a phone does without a timer is done. A machine's speed changes nothing about it.
 */
export async function untilIdle(...networks: Network[]): Promise<void> {
  const passed = () => networks.reduce((sum, network) => sum + network.passed.length, 0)
  const isBusy = () => networks.some((network) => network.underWay() > 0)
  for (let calm = 0, before = passed(); calm < rounds; calm++) {
    await new Promise((resolve) => setTimeout(resolve, 0))
    for (let turn = 0; turn < turnsOfRound; turn++)
      await new Promise((resolve) => setImmediate(resolve))
    if (isBusy() || passed() !== before) calm = -1
    before = passed()
  }
}
