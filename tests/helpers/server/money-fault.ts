import type { Delivery } from '#domain/deliveries/delivery.ts'
import type { Transfer } from '#server/ports/stores/record-stores.ts'

const pesewas = (cedis: number) => Math.round(cedis * 100)

/**
 * What is wrong with the money of a delivery, or `undefined`: its offer is set aside while it goes on, and once it
 * has ended the driver and the sender have all of it (R41). That of a cancelled job may be held (R123); an approval
 * may add a tip (R126). Written from the rules, not from the ledger's code.
 */
export function moneyFault(
  { ID, status, offer, tip = 0, driverShare, driver, refund }: Delivery,
  transfers: readonly Transfer[],
): string | undefined {
  const balances = new Map<string, number>()
  const at = (account: string) => balances.get(account) ?? 0
  for (const { kind, entries } of transfers) {
    for (const { account, pesewas } of entries) balances.set(account, at(account) + pesewas)
    const sum = entries.reduce((sum, { pesewas }) => sum + pesewas, 0)
    if (sum !== 0) return `${ID}: ${kind} does not balance, by ${sum}`
  }
  const hasEnded = status === 'Approved' || (status === 'Cancelled' && refund !== 'held')
  const share = status === 'Approved' ? pesewas(offer + tip) : pesewas(driverShare ?? 0)
  const paid = hasEnded ? share : 0
  const held = hasEnded ? 0 : pesewas(offer)
  const from = transfers
    .find(({ kind }) => kind === 'hold')
    ?.entries.find((each) => each.pesewas < 0)
  const ofDriver = at(`owed:${ID}`) + at(`driver:${driver?.id}`)
  const is = [at(`promised:${ID}`) + at(`escrow:${ID}`), ofDriver, at(`${from?.account}`)]
  const due = [held, paid, -held - paid]
  return `${is}` === `${due}` ? undefined : `${ID}, ${status}, has ${is} where ${due} is due`
}
