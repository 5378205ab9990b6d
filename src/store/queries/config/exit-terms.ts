import { defaultExitTerms, type ExitTerms } from '#domain/deliveries/endings/incidents.ts'
import { minute } from '#domain/product.ts'
import { getState } from '#sync/database/device/state.ts'
import type { SomaDb } from '../../soma-db.ts'

type Configured = { autoApproveHours?: unknown; returnShare?: unknown; waitMinutes?: unknown }

/** How the exits are configured, as far as the server has told this phone (R103, R105, R106). */
export async function exitTerms(db: SomaDb): Promise<ExitTerms> {
  const { autoApproveHours, returnShare, waitMinutes } = ((await getState(db, 'config')) ??
    {}) as Configured
  return {
    autoApprove: scaled(autoApproveHours, 60 * minute) ?? defaultExitTerms.autoApprove,
    returnShare: scaled(returnShare, 1) ?? defaultExitTerms.returnShare,
    wait: scaled(waitMinutes, minute) ?? defaultExitTerms.wait,
    cancelHold: defaultExitTerms.cancelHold,
  }
}

const scaled = (value: unknown, unit: number): number | undefined =>
  typeof value === 'number' ? value * unit : undefined
