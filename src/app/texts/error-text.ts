/** What errors are called that came without words (spec §7; §8, Upload): it says nothing to a person. */
const names: ReadonlySet<string> = new Set(['API error', 'Image upload failed'])

/** An error's message when somebody wrote it for people, else nothing. */
export const wordsIn = (message: string | undefined): string | undefined =>
  message && !names.has(message) ? message : undefined
