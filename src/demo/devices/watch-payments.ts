import { note } from '#sync/database/device/diagnostics.ts'
import type { DemoServer } from '../backend/server.ts'
import { useDemoState } from '../ui/demo-context.ts'
import { chosenPayments } from './tab-state.ts'

/** Moves money by the provider as soon as any tab has chosen it. */
export function watchPayments({ payments }: DemoServer): void {
  const follow = () => {
    const mode = chosenPayments.get()
    if (!mode) return
    useDemoState.setState({ payments: mode })
    payments().catch((error) => note('demo payments do not move', { error }))
  }
  addEventListener('storage', follow)
  follow()
}
