/** Names the number of the database's newest migration. */
export const newestMigrationSetting = 'newest migration'

export type Settings = {
  get(name: string): Promise<string | undefined>
  /** Stores the value unless the name has one, and returns the stored value. */
  keep(name: string, value: string): Promise<string>
  remove(name: string): Promise<void>
}
