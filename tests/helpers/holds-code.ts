/** Whether a text holds these digits as a code, and not inside a time, an ID or a longer number. */
export const holdsCode = (text: string, code: string): boolean =>
  new RegExp(`(?<!\\w)${code}(?!\\w)`).test(text)
