/** Cedis as people write them become whole pesewas as the ledger keeps them. 1 cedi = 100 pesewas. */
export const toPesewas = (cedis: number): number => Math.round(cedis * 100)

export const toCedis = (pesewas: number): number => pesewas / 100

/** The most that can be offered, in cedis (interfaces: names and values). */
export const maxOffer = 100_000

/** Above 0, at most 100,000 cedis, at most two decimals. */
export const isValidOffer = (cedis: number): boolean =>
  Number.isFinite(cedis) &&
  cedis > 0 &&
  cedis <= maxOffer &&
  Math.abs(cedis * 100 - Math.round(cedis * 100)) < 1e-6

const grouped = (cedis: number, decimals: number) =>
  cedis.toLocaleString('en-GH', { minimumFractionDigits: decimals, maximumFractionDigits: 2 })

/** `₵60`, or `₵60.50` when there are pesewas (spec §2, delivery card). */
export const shortPrice = (cedis: number): string =>
  `₵${grouped(cedis, Number.isInteger(cedis) ? 0 : 2)}`

/** `GH₵ 60.00` (spec §1). */
export const fullPrice = (cedis: number): string => `GH₵ ${grouped(cedis, 2)}`
