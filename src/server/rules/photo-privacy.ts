import { Refusal } from '#domain/errors.ts'
import { photoNameIn, photoUrl, randomPhotoName } from '../ports/photo-names.ts'
import type { Log, Ports } from '../ports/ports.ts'
import type { Stores } from '../ports/repo.ts'

type PhotoPorts = Pick<Ports, 'repo' | 'images' | 'options'> & { log: Pick<Log, 'warn'> }

/** A photo that a delivery names is in use from now on. Call it in the transaction that names it. */
export async function markPhotoUsed(
  { photos }: Stores,
  { options }: Pick<Ports, 'options'>,
  url: string | undefined,
): Promise<void> {
  const name = photoNameIn(url, options.imageHost)
  if (name) await photos.use(name)
}

/**
 * The ID photo of an application becomes private, in two steps. The first copies what has to be
 * copied and gives the second, for the transaction that adds the application: it marks the photo and
 * gives the URL to keep. The file is moved afterwards; a move that was cut off is mended by the sweep.
 *
 * A photo that a delivery names too stays public, and the application gets a private copy: otherwise
 * anybody could hide another person's photo by naming it. Refusal: unavailable, when a delivery came
 * to name it in between.
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

/** Milliseconds after which the transaction that marked it has ended, one way or the other. */
const commitTimeout = 2_000

/** Until the file has moved, the mark alone keeps it from being shown. */
function hideAfterCommit({ repo, images, log }: Omit<PhotoPorts, 'options'>, name: string) {
  const move = async () => {
    const row = await repo.read(({ photos }) => photos.get(name))
    if (row?.isPrivate) await images?.hide(name)
  }
  const timer = setTimeout(() => {
    move().catch((error: unknown) =>
      log.warn({ err: error }, 'An ID photo was not moved; the next sweep moves it'),
    )
  }, commitTimeout)
  if (typeof timer === 'object') timer.unref()
}
