import { Refusal } from '#domain/errors.ts'
import { earningOf, sumEarnings } from '#domain/payouts/earnings.ts'
import { type Handlers, requireUser } from '../../ports/handler.ts'
import { startOfDay } from '../../rules/days.ts'

const mostDays = 366

/** What a driver has earned in a range of days (R182). */
export const earningsHandlers = (): Pick<Handlers, 'driverEarnings'> => ({
  driverEarnings: ({ query: { from = '', to = '' } }) => {
    const [start, end] = [startOfDay(from), startOfDay(to, 1)]
    if (end <= start) throw new Refusal('invalid', 'The first day must not be after the last.')
    if (end > startOfDay(from, mostDays))
      throw new Refusal('invalid', `Ask for at most ${mostDays} days.`)
    return async (stores, actor) => {
      const rows = await stores.deliveries.earnedBy(requireUser(actor).ID, start, end)
      const earnings = rows.flatMap((row) => earningOf(row) ?? [])
      return { body: { earnings: sumEarnings(earnings, from, to) } }
    }
  },
})
