/**
 * Replaces what stands in a field by its cleaned form, and returns that. The caret stays behind the same characters, which it
 * would not if React put another text into the field.
 */
export function cleanInput(input: HTMLInputElement, clean: (typed: string) => string): string {
  const { value, selectionEnd } = input
  const cleaned = clean(value)
  if (cleaned === value) return value
  const isAtEnd = selectionEnd === null || selectionEnd === value.length
  const caret = isAtEnd ? cleaned.length : clean(value.slice(0, selectionEnd)).length
  input.value = cleaned
  if (selectionEnd !== null) input.setSelectionRange(caret, caret)
  return cleaned
}
