/** How many of these request lines begin so. */
export const count = (requests: readonly string[], start: string): number =>
  requests.filter((line) => line.startsWith(start)).length
