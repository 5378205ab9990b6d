/** What errors are called that came without words (spec §7; §8, Upload): it says nothing to a person. */
const defaultMessages: ReadonlySet<string> = new Set(['API error', 'Image upload failed'])

/** An error's message when somebody wrote it for people, else nothing. */
export const errorText = (message: string | undefined): string | undefined =>
  message && !defaultMessages.has(message) ? message : undefined
