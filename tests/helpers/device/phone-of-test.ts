import { afterEach, beforeAll } from 'vitest'
import { loadLazy } from '#store/load-lazy.ts'
import { createSimulatedPhone } from './simulated-phone.ts'

export type SimulatedPhone = Awaited<ReturnType<typeof createSimulatedPhone>>

/** Opens simulated phones for the tests of this file; each ends with its test. */
export function phoneOfTest(): typeof createSimulatedPhone {
  const opened: SimulatedPhone[] = []
  // Loaded before time stands still, as by a page that has been open for a while.
  beforeAll(async () => {
    await loadLazy()
  })
  afterEach(async () => {
    for (const phone of opened.splice(0)) await phone.end()
  })
  return async (...about) => {
    const phone = await createSimulatedPhone(...about)
    opened.push(phone)
    return phone
  }
}
