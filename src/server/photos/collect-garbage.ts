import { isPhotoName, photoNameIn, photoUrl, randomPhotoName } from '../ports/photo-names.ts'
import type { ImageStore, Ports } from '../ports/ports.ts'

const day = 24 * 60 * 60_000

/** Milliseconds. A phone may hold a request with an uploaded photo for as long as the first. */
export const photoLifetime = { unused: 30 * day, idAfterDecision: 90 * day }

type PhotoPorts = Pick<Ports, 'repo' | 'images' | 'clock' | 'options' | 'log'>

/**
 * One pass over the photos: forgets those nobody names, deletes ID photos that are no longer needed,
 * and mends what a stopped server left half done. Several processes may do it at once.
 */
export async function collectPhotoGarbage(ports: PhotoPorts): Promise<void> {
  const { images } = ports
  if (!images) return
  await hideIdPhotos(ports, images)
  await dropIdPhotos(ports, images)
  await removeUnused(ports, images)
  await repairFiles(ports, images)
}

const before = ({ clock }: PhotoPorts, age: number) => new Date(clock() - age).toISOString()

/** ID photos of earlier versions become private; one that a delivery names too gets a private copy. */
async function hideIdPhotos({ repo, options, clock }: PhotoPorts, images: ImageStore) {
  const at = new Date(clock()).toISOString()
  const found = await repo.read(({ applications }) => applications.withPublicPhoto())
  for (const { userId, idPhoto, isShared } of found) {
    const name = photoNameIn(idPhoto, options.imageHost)
    if (!name) continue
    if (!isShared) {
      await repo.transaction(({ photos }) => photos.makePrivate(name, at))
      await images.hide(name)
      continue
    }
    const copy = randomPhotoName(name.split('.').at(-1) ?? 'jpg')
    if (!(await images.copyToPrivate(name, copy))) continue
    await repo.transaction(async ({ applications, photos }) => {
      await photos.makePrivate(copy, at)
      await applications.changePhoto(userId, photoUrl(options.imageHost, copy))
    })
  }
}

/** Deleted some time after the decision, unless a dispute about a delivery of that driver is open. */
async function dropIdPhotos(ports: PhotoPorts, images: ImageStore) {
  const { repo, options, log } = ports
  const names = await repo.transaction(async ({ applications, photos }) => {
    const urls = await applications.dropPhotos(before(ports, photoLifetime.idAfterDecision))
    const dropped: string[] = []
    for (const url of urls) {
      const name = photoNameIn(url, options.imageHost)
      if (!name || !(await photos.lock(name))?.isPrivate) continue
      await photos.remove(name)
      dropped.push(name)
    }
    return dropped
  })
  for (const name of names) await images.remove(name)
  if (names.length > 0) log.info({ photos: names.length }, 'ID photos were deleted')
}

async function removeUnused(ports: PhotoPorts, images: ImageStore) {
  const { repo, log } = ports
  const unused = await repo.transaction(({ photos }) =>
    photos.removeUnused(before(ports, photoLifetime.unused)),
  )
  for (const some of inBatches(unused)) {
    // One that was sent again meanwhile is in use by whoever sent it.
    const rows = await repo.read(({ photos }) => photos.getMany(some))
    const again = new Set(rows.map(({ name }) => name))
    for (const name of some) if (!again.has(name)) await images.remove(name)
  }
  if (unused.length > 0) log.info({ photos: unused.length }, 'Photos nobody names were deleted')
}

/** Files the database says something else of: half-written, not yet moved, or of no row. */
async function repairFiles({ repo, clock }: PhotoPorts, images: ImageStore) {
  const oldest = clock() - photoLifetime.unused
  for await (const files of images.list()) {
    const names = files.map(({ name }) => name).filter(isPhotoName)
    const rows = await repo.read(({ photos }) => photos.getMany(names))
    const known = new Map(rows.map((row) => [row.name, row]))
    for (const { name, isPrivate, changedAt } of files) {
      const row = known.get(name)
      if (row?.isPrivate && !isPrivate) await images.hide(name)
      else if (!row && changedAt < oldest) await images.remove(name)
    }
  }
}

function* inBatches<T>(all: T[], size = 500): Generator<T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size)
}
