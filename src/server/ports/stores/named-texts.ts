import { deletedName } from '#domain/users/user.ts'

/** A text with `Deleted user` in place of these names, where they are not part of a longer word. */
export function withoutNames(text: string, names: readonly string[]): string {
  return names
    .filter((name) => name !== '')
    .reduce((left, name) => {
      const literal = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      const whole = new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, 'gu')
      return left.replace(whole, deletedName)
    }, text)
}
