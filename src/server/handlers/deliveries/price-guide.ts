import { Refusal } from '#domain/errors.ts'
import { addressLimits } from '../../limits/address-limits.ts'
import { countOrRefuse } from '../../limits/rate-limits.ts'
import type { Handlers } from '../../ports/handler.ts'
import type { Ports } from '../../ports/ports.ts'
import { createPriceGuides } from '../../rules/deliveries/price-guides.ts'

/** What a way usually costs (R168). Limited, because it reads many rows and anybody may ask (R64). */
export function priceGuideHandlers(ports: Ports): Pick<Handlers, 'priceGuide'> {
  const { secrets, options } = ports
  const { subjectOf } = addressLimits(ports)
  const guideFor = createPriceGuides(ports)
  return {
    priceGuide:
      ({ query: { from, to }, address, at }) =>
      async (stores, actor) => {
        const subject = subjectOf({ address, actor })
        await countOrRefuse(stores, secrets, options.limits.priceGuides, subject, at)
        if (from === to) throw new Refusal('same-zones')
        const known = await Promise.all([from, to].map(stores.zones.nameOf))
        if (!known.every(Boolean)) throw new Refusal('unknown-zone')
        const user = actor && 'user' in actor ? actor.user : undefined
        return { body: await guideFor(stores, { from, to }, user) }
      },
  }
}
