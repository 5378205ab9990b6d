import { defaultEndingTerms, type EndingTerms } from '#domain/deliveries/endings/incidents.ts'
import { minute } from '#domain/product.ts'
import { getState } from '#sync/database/device/state.ts'
import type { SomaDb } from '../../soma-db.ts'

type Configured = { autoApproveHours?: unknown; returnShare?: unknown; waitMinutes?: unknown }

/** How endings are configured, as far as the server has told this phone (R103, R105, R106). */
export async function endingTerms(db: SomaDb): Promise<EndingTerms> {
  const { autoApproveHours, returnShare, waitMinutes } = ((await getState(db, 'config')) ??
    {}) as Configured
  return {
    autoApprove: scaled(autoApproveHours, 60 * minute) ?? defaultEndingTerms.autoApprove,
    returnShare: scaled(returnShare, 1) ?? defaultEndingTerms.returnShare,
    wait: scaled(waitMinutes, minute) ?? defaultEndingTerms.wait,
    cancelHold: defaultEndingTerms.cancelHold,
  }
}

const scaled = (value: unknown, unit: number): number | undefined =>
  typeof value === 'number' ? value * unit : undefined
