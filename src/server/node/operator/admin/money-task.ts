import { fullPrice } from '#domain/money.ts'
import { readDifferences } from '../../../rules/money/differences.ts'
import { inCedis } from '../../../rules/money/figures.ts'
import type { Task } from './task.ts'

export const money: Task = {
  args: [],
  about: 'shows where all money is; exits with 1 if it does not add up or a reconciliation differs',
  async run({ repo }) {
    const { totals, differences } = await repo.read(async (stores) => ({
      totals: await stores.ledger.totals(),
      differences: await readDifferences(stores),
    }))
    const { cameIn, held, owed, paidOut, refunded, fees } = totals
    const isWhole = held + owed + paidOut + refunded + fees === cameIn
    const cedis = inCedis(totals)
    return {
      lines: [
        `held or promised: ${fullPrice(cedis.held)}`,
        `owed to drivers:  ${fullPrice(cedis.owed)}`,
        `paid out:         ${fullPrice(cedis.paidOut)}`,
        `refunded:         ${fullPrice(cedis.refunded)}`,
        `fees:             ${fullPrice(cedis.fees)}`,
        isWhole
          ? `together ${fullPrice(cedis.cameIn)}: all that came in`
          : `These do NOT add up: ${fullPrice(cedis.cameIn)} came in. Run verify-rollups and verify-ledger.`,
        ...(differences.length > 0 ? ['differences to the payment provider:'] : []),
        ...differences.map((text) => `  ${text}`),
      ],
      isWrong: !isWhole || differences.length > 0,
    }
  },
}
