/** Messages of errors for which the server sent no text; they mean nothing to people. */
const defaultMessages: ReadonlySet<string> = new Set(['API error', 'Image upload failed'])

/** The message, where it was written for people. */
export const errorText = (message: string | undefined): string | undefined =>
  message && !defaultMessages.has(message) ? message : undefined
