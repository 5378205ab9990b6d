import type { Ports } from '../../ports/ports.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/

/**
 * Makes the payment of this reference due, and the refunds of a charge, because the provider may know more of them (R180).
 * Nothing happens for one that is not ours.
 */
export async function askAgain(
  { repo, clock }: Pick<Ports, 'repo' | 'clock'>,
  reference: string,
): Promise<void> {
  const [id] = uuid.exec(reference) ?? []
  if (!id) return
  await repo.transaction(async ({ payments, publish }) => {
    const about = await payments.lock(id)
    if (!about) return
    const all = await payments.ofDelivery(about.deliveryId)
    const refunds = all.filter(({ chargeId }) => chargeId === id).map((each) => each.id)
    const dueAt = new Date(clock()).toISOString()
    for (const each of [id, ...refunds]) {
      const row = await payments.lock(each)
      // One that waits may be on its way: whoever has taken it finds out.
      if (row && row.status !== 'waiting') await payments.save({ ...row, dueAt })
    }
    // Nobody hears of it but the processes that move payments.
    await publish({ about: 'delivery', id: about.deliveryId, to: [] })
  })
}
