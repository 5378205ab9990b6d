import { fullPrice, toCedis } from '#domain/money.ts'
import { verifyLedger as verify } from '../../../postgres/checks/verify-ledger.ts'
import { withClient } from '../../../postgres/connection/with-client.ts'
import type { Task } from './task.ts'

export const verifyLedger = {
  args: [],
  about:
    'compares the ledger with itself and with the deliveries; exits with 1 if something is wrong',
  async run({ url }) {
    const { faults, totals } = await withClient(url, 'soma admin', verify)
    const money = (pesewas: number) => fullPrice(toCedis(pesewas))
    const wrong = faults.flatMap(({ about, count, examples }) => [
      `${about}: ${count}`,
      ...examples.map((example) => `  ${example}`),
      ...(count > examples.length ? [`  and ${count - examples.length} more`] : []),
    ])
    return {
      lines: [
        `${totals.deliveries} deliveries, ${totals.transfers} transfers, ${totals.entries} entries`,
        `set aside: ${money(totals.inEscrow)} for ${totals.open} deliveries that have not ended`,
        `earned by drivers: ${money(totals.released)}; refunded: ${money(totals.refunded)}`,
        ...wrong,
        wrong.length > 0 ? 'The ledger is WRONG.' : 'The ledger is right.',
      ],
      isWrong: wrong.length > 0,
    }
  },
} satisfies Task
