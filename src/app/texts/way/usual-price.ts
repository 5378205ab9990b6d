import { shortPrice } from '#domain/money.ts'
import type { PriceGuide } from '#domain/way-guide.ts'

/** `Usually ₵25 to ₵35`, in whole cedis (R168). */
export function usualPrice({ low, high }: PriceGuide): string {
  const [from, to] = [low, high].map((cedis) => shortPrice(Math.round(cedis)))
  return `Usually ${from === to ? from : `${from} to ${to}`}`
}
