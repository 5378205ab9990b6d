/** Whether these digits stand in a text by themselves, not inside a time, an ID or a longer number. */
export const holdsCode = (text: string, code: string): boolean =>
  new RegExp(`(?<!\\w)${code}(?!\\w)`).test(text)
