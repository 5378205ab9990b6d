import { Refusal } from '#domain/errors.ts'
import { isValidOffer, shortPrice } from '#domain/money.ts'
import type { Options } from '../../ports/ports.ts'

/** Throws `invalid` for an offer, in cedis, below the configured least one (R21). */
export function assertOffer(offer: number, { minOffer }: Pick<Options, 'minOffer'>): void {
  if (!isValidOffer(offer, minOffer))
    throw new Refusal('invalid', `The offer must be at least ${shortPrice(minOffer)}.`)
}
