import { asciiDigits } from './digits.ts'

/** Cedis to whole pesewas, the unit of the ledger: 1 cedi = 100 pesewas (R40). */
export const toPesewas = (cedis: number): number => Math.round(cedis * 100)

/** Pesewas as cedis (R40). */
export const toCedis = (pesewas: number): number => pesewas / 100

/** Largest offer, in cedis (R21). */
export const maxOffer = 100_000

/** `₵100,000`. Not written by `Intl`, whose first use holds up the form that says so. */
export const maxOfferText = `₵${String(maxOffer).replace(/\B(?=(\d{3})+$)/g, ',')}`

/** Smallest offer in cedis where `MIN_OFFER` is not set (R21). */
export const defaultMinOffer = 1

/**
 * At most 100,000 cedis, and of whole pesewas: at least one (R21). What is less than a hundredth of a pesewa away from
 * a whole number is one that a floating-point sum has missed, but no amount rounds to nothing.
 */
export const isAmount = (cedis: number): boolean =>
  toPesewas(cedis) >= 1 && cedis <= maxOffer && Math.abs(cedis * 100 - toPesewas(cedis)) < 1e-6

/**
 * What somebody typed as an amount, in cedis (R21); `undefined` where that is not plain. A comma or space before each three
 * digits groups them; a point, or a comma, before the last one or two is the decimal sign. `1,000`, `1 000,50`, `₵60.5`.
 */
export function parseAmount(typed: string): number | undefined {
  const text = asciiDigits(typed).replaceAll('٬', ',').replaceAll('٫', '.').trim()
  const [, whole, group, decimals = ''] = amountPattern.exec(text) ?? []
  // One comma cannot be both.
  if (whole === undefined || (group === ',' && decimals.startsWith(','))) return undefined
  return Number(`${whole.replace(/[, ]/g, '')}${decimals.replace(',', '.')}`)
}

const amountPattern =
  /^(?:(?:GH)?₵|GHS)? ?(\d+|[1-9]\d{0,2}([, ])\d{3}(?:\2\d{3})*)([.,]\d{1,2})?$/i

/** An amount of at least `least` cedis (R21). */
export const isValidOffer = (cedis: number, least = 0): boolean => isAmount(cedis) && cedis >= least

/** Made once for each number of decimals: making one takes a phone longer than a hundred numbers. */
const formats = new Map<number, Intl.NumberFormat>()

function formatNumber(cedis: number, decimals: number): string {
  const options = { minimumFractionDigits: decimals, maximumFractionDigits: 2 }
  const format = formats.get(decimals) ?? new Intl.NumberFormat('en-GH', options)
  formats.set(decimals, format)
  return format.format(cedis)
}

/** `₵60`, or `₵60.50` when there are pesewas (R43). */
export const shortPrice = (cedis: number): string =>
  `₵${formatNumber(cedis, Number.isInteger(cedis) ? 0 : 2)}`

/** `GH₵ 60.00` (R43). */
export const fullPrice = (cedis: number): string => `GH₵ ${formatNumber(cedis, 2)}`
