/** Names the number of the database's newest migration. */
export const newestMigrationSetting = 'newest migration'

/** Names what the office has set (R204). */
export const officeSetting = 'office'

/** Says when an admin first logged in: until then each start prints the generated password (R211). */
export const firstLoginSetting = 'first login of an admin'

export type Settings = {
  get(name: string): Promise<string | undefined>
  /** Stores the value unless the name has one, and returns the stored value. */
  keep(name: string, value: string): Promise<string>
  /** Stores the value in the place of another. */
  set(name: string, value: string): Promise<void>
  remove(name: string): Promise<void>
}
