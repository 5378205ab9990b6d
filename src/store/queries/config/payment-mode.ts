import { PaymentMode } from '#domain/deliveries/payment.ts'
import { getState } from '#sync/database/device/state.ts'
import type { SomaDb } from '../../soma-db.ts'

/** How the sender of a request made now pays its driver, as far as the server has told this phone (R171). */
export async function paymentMode(db: SomaDb): Promise<PaymentMode> {
  const { payments } = ((await getState(db, 'config')) ?? {}) as { payments?: unknown }
  const told = PaymentMode.safeParse(payments)
  return told.success ? told.data : 'direct'
}
