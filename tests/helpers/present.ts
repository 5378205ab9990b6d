/** What must be there for the story to go on. */
export function present<T>(value: T | undefined | null): T {
  if (value === undefined || value === null) throw new Error('Expected a value')
  return value
}
