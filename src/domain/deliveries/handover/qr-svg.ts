/** What a QR code of a hand-over link is drawn with. */
export const qrOptions = { ecc: 'medium', border: 4 } as const

/**
 * The SVG of a QR code with white under it: readers need dark on light, also where a browser darkens pages. Whoever shows
 * it adds `color-scheme: only light`, which keeps the browser from changing the colours.
 */
export const onWhite = (svg: string): string =>
  svg.replace(/(<svg [^>]*>)/, '$1<rect width="100%" height="100%" fill="#fff"/>')
