import * as z from 'zod/mini'
import { SendDraft } from '#domain/deliveries/draft.ts'
import { Refusal } from '#domain/errors.ts'
import { product } from '#domain/product.ts'
import { currentSession } from '../account/account.ts'
import { guestAccount } from '../database/engine-db.ts'
import { rowOwner } from '../database/row-owner.ts'
import { type Entry, operations } from '../deliveries/operations.ts'
import { projectLanes } from '../deliveries/projection.ts'
import { entryOf } from '../outbox/enqueue.ts'
import { entryVersion, needsUpdate } from '../outbox/entry.ts'
import { isReadable } from '../outbox/upgrades.ts'
import { fileVersion } from '../queries/unsent-file.ts'
import type { Photo } from '../rows.ts'
import type { SomaDb } from '../soma-db.ts'
import type { CommandContext } from './context.ts'
import { addSetAside } from './set-aside.ts'

/** Characters of the longest file that is read, and of the longest photo in it. */
const longest = { file: 64_000_000, photo: 8_000_000 }

/** The schemas' own checks of lengths would stand in the first page, which needs none. */
const atMost = (most: number) => z.refine<{ length: number }>((value) => value.length <= most)
const matching = (pattern: RegExp) => z.refine<string>((text) => pattern.test(text))

const Id = z.string().check(matching(/^[\w-]{1,64}$/))
const Text = z.string().check(atMost(2_000))
/** A subject may be a name that somebody typed. */
const Item = z.object({
  id: Id,
  account: Id,
  what: Text,
  version: z.number(),
  lane: Text,
  after: z.array(Id).check(atMost(100)),
  follows: z.optional(z.array(Id).check(atMost(100))),
  title: Text,
  state: z.enum(['waiting', 'sending', 'retrying', 'refused', 'parked']),
  left: z.optional(z.boolean()),
  when: z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)))),
  details: z.record(z.string(), z.unknown()),
  photos: z.array(Id).check(atMost(20)),
})
const Picture = z
  .string()
  .check(atMost(longest.photo), matching(/^data:image\/(jpeg|png|webp);base64,[A-Za-z0-9+/]+=*$/))
const SetAside = z.object({ from: Text, why: Text, at: z.number(), value: z.unknown() })
const UnsentFile = z.object({
  app: z.literal(product),
  version: z.number(),
  account: Id,
  madeBy: z.optional(Text),
  items: z.array(Item).check(atMost(5_000)),
  draft: z.optional(SendDraft),
  setAside: z.optional(z.array(SetAside).check(atMost(1_000))),
  photos: z.record(Id, Picture),
})
type UnsentFile = z.infer<typeof UnsentFile>

/**
 * How many entries came back, how many this phone held already, and how many rows were set aside here that
 * were in the file. `draft`: whether the file's took its place; false where another is being typed here.
 */
export type Imported = { added: number; known: number; setAside: number; draft?: boolean }

/**
 * Takes in a file that `unsentFile` made (S58): entries under their old request keys, so that nothing is done
 * twice, with their photos and the draft. Throws `invalid` or `too-large`, and `not-allowed` where another
 * person made the file, each with a sentence for people.
 */
export async function importFile(
  { db, now, newId }: Pick<CommandContext, 'db' | 'now' | 'newId'>,
  text: string,
): Promise<Imported> {
  const file = read(text)
  const photos = Object.entries(file.photos).map(([id, url]) => photoOf(id, url, now()))
  return db.transaction('rw', db.tables, async () => {
    const session = await currentSession(db)
    const accounts = [guestAccount, session?.account]
    mustBeTheirs(file, accounts)
    const entries = file.items.map((item) => entryFrom(item, newId))
    const added: Entry[] = []
    for (const entry of entries)
      if ((await db.outbox.where('id').equals(entry.id).count()) === 0) added.push(entry)
    await addPhotos(db, photos, added, file)
    await db.outbox.bulkAdd(added)
    await projectLanes(db, added)
    return {
      added: added.length,
      known: entries.length - added.length,
      setAside: await addSetAside(db, file.setAside ?? []),
      draft: await addDraft(db, file),
    }
  })
}

function read(text: string): UnsentFile {
  if (text.length > longest.file) throw new Refusal('too-large', 'This file is too large.')
  const file = UnsentFile.safeParse(parsed(text))
  if (!file.success)
    throw new Refusal('invalid', `This is not a file that ${product} has exported.`)
  if (
    file.data.version > fileVersion ||
    file.data.items.some(({ version: v }) => needsUpdate({ v }))
  )
    throw new Refusal('update', 'A newer version of the app made this file. Update to import it.')
  return file.data
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function mustBeTheirs(file: UnsentFile, accounts: (string | undefined)[]): void {
  const rows = (file.setAside ?? []).flatMap(({ value }) => rowOwner(value) ?? [])
  const owners = [file.account, ...file.items.map(({ account }) => account), ...rows]
  if (owners.every((account) => accounts.includes(account))) return
  const whose = file.madeBy ? `${file.madeBy} made this file` : 'Somebody else made this file'
  throw new Refusal('not-allowed', `${whose}. Log in as that person to import it.`)
}

/** Waiting, as it was when it was made; one that may have arrived stays so. */
function entryFrom(
  {
    id,
    account,
    what,
    lane,
    after,
    follows,
    title,
    when,
    details,
    photos,
    left,
  }: z.infer<typeof Item>,
  newId: () => string,
): Entry {
  // The file leaves out what proves the guest.
  const secret = what === 'createGuestDelivery' ? { guestSecret: newId() + newId() } : {}
  const entry = {
    ...entryOf<Entry>({
      id,
      account,
      op: what as Entry['op'],
      lane,
      input: { ...details, ...secret } as Entry['input'],
      title,
      occurredAt: when,
      after,
      follows,
      photos,
      isPart: what === 'uploadPhoto' ? 1 : undefined,
    }),
    left,
  }
  if (entry.v !== entryVersion || !isReadable(entry, operations))
    throw new Refusal('invalid', `“${title.slice(0, 60)}” in this file could not be read.`)
  return entry
}

function photoOf(id: string, url: string, now: number): Photo {
  const [head = '', body = ''] = url.split(',')
  let text: string
  try {
    text = atob(body)
  } catch {
    throw new Refusal('invalid', 'A photo in this file could not be read.')
  }
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0)).buffer
  const type = head.slice('data:'.length, head.indexOf(';'))
  return { id, account: guestAccount, bytes, type, keptAt: now }
}

/** Photos that what comes back names, and that this phone does not hold. */
async function addPhotos(
  db: SomaDb,
  photos: Photo[],
  added: Entry[],
  { draft, account }: UnsentFile,
) {
  const owners = new Map(added.flatMap((entry) => entry.photos.map((id) => [id, entry.account])))
  if (draft?.photo) owners.set(draft.photo, account)
  for (const photo of photos) {
    const owner = owners.get(photo.id)
    if (owner === undefined || (await db.photos.get(photo.id))) continue
    await db.photos.add({ ...photo, account: owner })
  }
}

/** A draft that is being typed here is newer. */
async function addDraft(db: SomaDb, { draft, account }: UnsentFile): Promise<boolean | undefined> {
  if (!draft) return undefined
  if (await db.drafts.get([account, 'send'])) return false
  await db.drafts.put({ account, kind: 'send', value: draft })
  return true
}
