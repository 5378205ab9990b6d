import { countOrRefuse } from '../limits/rate-limits.ts'
import { requireUser } from '../ports/handler.ts'
import { effect } from './effect.ts'

/** At this number of give-backs a day, admins are told about the driver (R101). */
const toldGiveBack = 3

/** Limited, because accepting and giving back reveals contacts (R101, R140). */
export const releaseJob = effect<'releaseJob'>({
  async allowed({ stores, ports: { secrets, options }, actor, asked: { at } }) {
    const { ID, name, email } = requireUser(actor)
    const count = await countOrRefuse(stores, secrets, options.limits.giveBacks, ID, at)
    if (count !== toldGiveBack) return
    const Message = `${name} (${email}) has given back ${toldGiveBack} jobs in a day`
    await stores.activities.add({ ID: secrets.id(), Type: 'other', Message, CreatedAt: at })
  },
})
