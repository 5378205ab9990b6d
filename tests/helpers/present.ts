/** The value; throws when it is null or undefined. */
export function present<T>(value: T | undefined | null): T {
  if (value === undefined || value === null) throw new Error('Expected a value')
  return value
}
