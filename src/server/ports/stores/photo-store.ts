/** A photo of the built-in provider, by its file name. */
export type StoredPhoto = {
  name: string
  /** Readable by admins alone. */
  isPrivate: boolean
  /** A delivery or an application names it. */
  isUsed: boolean
  bytes: number
  /** A keyed hash of the address it was sent from. */
  uploader: string
  at: string
}
export type Photos = {
  get(name: string): Promise<StoredPhoto | undefined>
  /** As `get`, and nobody changes the row until this transaction ends. */
  lock(name: string): Promise<StoredPhoto | undefined>
  /** The photos that exist with these names. */
  getMany(names: string[]): Promise<StoredPhoto[]>
  /**
   * Replaces an unused photo of that name. False when a private photo has the name, which then stays
   * unchanged.
   */
  add(photo: StoredPhoto): Promise<boolean>
  /** Marks it as used. Does nothing when there is none. */
  use(name: string): Promise<void>
  /** Marks it as private and used; adds it when there is none. */
  makePrivate(name: string, at: string): Promise<void>
  remove(name: string): Promise<void>
  /** The bytes one uploader stored since that time, and the time of the first upload. */
  storedBy(uploader: string, since: string): Promise<{ bytes: number; first?: string }>
  /**
   * Claims at most `limit` photos that nothing uses and that are older than `before`, and returns their
   * names: whoever claims a photo removes its file and then its row. A claimed photo counts as private and
   * as old as `at`, so until then `add` gives its name to nobody, and nobody else claims it before `at` is
   * old too.
   */
  claimUnused(before: string, at: string, limit: number): Promise<string[]>
  /** Claims a name without a row, in the same way. False when it has one. */
  claim(name: string, at: string): Promise<boolean>
}
