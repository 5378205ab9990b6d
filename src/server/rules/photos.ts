import { Refusal } from '#domain/errors.ts'
import { lifetimeOf } from '#domain/personal/retention.ts'
import { photoNameIn, photoUrl, randomPhotoName } from '../ports/photos/photo-names.ts'
import type { Log, Ports } from '../ports/ports.ts'
import type { Stores } from '../ports/repo.ts'

type PhotoPorts = Pick<Ports, 'repo' | 'images' | 'options'> & { log: Pick<Log, 'warn'> }

/** Marks the photo that a delivery names as used, in the transaction that names it. */
export async function markPhotoUsed(
  { photos }: Stores,
  { options }: Pick<Ports, 'options'>,
  url: string | undefined,
): Promise<void> {
  const name = photoNameIn(url, options.imageHost)
  if (name) await photos.use(name)
}

/**
 * Makes the ID photo of an application private (R55), in two steps. The first copies the file if it must
 * and returns the second, for the transaction that adds the application: it marks the photo and returns
 * the URL to store. The file is moved afterwards; garbage collection repeats an interrupted move.
 *
 * A photo that a delivery names too stays public, and the application gets a private copy: otherwise
 * anybody could hide another person's photo by naming it. Refusal: unavailable, when a delivery named it
 * in between.
 */
export async function keepIdPhoto(
  { repo, images, options, log }: PhotoPorts,
  url = '',
): Promise<(stores: Stores, at: string) => Promise<string>> {
  const name = photoNameIn(url, options.imageHost)
  if (!images || !name) return async () => url
  const before = await repo.read(({ photos }) => photos.get(name))
  const copy = isOfAnother(before) ? randomPhotoName(extensionOf(name)) : undefined
  const isCopied = copy !== undefined && (await images.copyToPrivate(name, copy))
  return async ({ photos }, at) => {
    if (isCopied) {
      await photos.makePrivate(copy, at)
      return photoUrl(options.imageHost, copy)
    }
    if (isOfAnother(await photos.lock(name))) throw new Refusal('unavailable')
    await photos.makePrivate(name, at)
    hideAfterCommit({ repo, images, log }, name)
    return url
  }
}

const isOfAnother = (photo: { isUsed: boolean; isPrivate: boolean } | undefined) =>
  photo?.isUsed === true && !photo.isPrivate

const extensionOf = (name: string) => name.split('.').at(-1) ?? ''

/** Milliseconds after which the transaction that marked the photo has committed or rolled back. */
const commitTimeout = 2_000

/** Moves the file to the private ones. Until then the mark alone keeps it from being served. */
function hideAfterCommit({ repo, images, log }: Omit<PhotoPorts, 'options'>, name: string) {
  const move = async () => {
    const row = await repo.read(({ photos }) => photos.get(name))
    if (row?.isPrivate) await images?.hide(name)
  }
  const timer = setTimeout(() => {
    move().catch((error: unknown) =>
      log.warn(
        { err: error },
        'An ID photo was not moved to the private ones; garbage collection moves it within an hour',
      ),
    )
  }, commitTimeout)
  if (typeof timer === 'object') timer.unref()
}

/**
 * Takes photos that nothing names any more from their readers, in this transaction. Garbage collection deletes their
 * files within an hour.
 */
export async function releasePhotos(
  { photos }: Stores,
  { options }: Pick<Ports, 'options'>,
  urls: readonly string[],
  at: string,
): Promise<void> {
  const claimable = new Date(Date.parse(at) - lifetimeOf('unusedPhoto') - 1).toISOString()
  for (const url of urls) {
    const name = photoNameIn(url, options.imageHost)
    if (!name) continue
    await photos.lock(name)
    await photos.remove(name)
    await photos.claim(name, claimable)
  }
}

/** Whether a photo's URL is at the image provider (R22). `host` is an origin, or begins with one. */
export function isHostedPhoto(url: string | undefined, host: string): boolean {
  if (!url?.startsWith(`${host.replace(/\/+$/, '')}/`)) return false
  return URL.canParse(url) && new URL(url).origin === new URL(host).origin
}
