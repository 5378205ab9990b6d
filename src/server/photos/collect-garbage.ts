import { lifetimeOf } from '#domain/personal/retention.ts'
import { isPhotoName, photoNameIn, photoUrl, randomPhotoName } from '../ports/photos/photo-names.ts'
import type { ImageStore, Ports } from '../ports/ports.ts'

/** Milliseconds. An outbox may hold a request with an uploaded photo for as long as `unused`. */
export const photoLifetime = {
  unused: lifetimeOf('unusedPhoto'),
  idAfterDecision: lifetimeOf('idPhoto'),
}

/** Milliseconds after which photos that a stopped server has claimed are claimed again. */
const claimLifetime = 60 * 60_000

type PhotoPorts = Pick<Ports, 'repo' | 'images' | 'clock' | 'options' | 'log'>

/**
 * One pass over the photos: removes those that nothing names, deletes ID photos that are no longer
 * needed, and repairs what a stopped server left half done. Several processes may run it at once.
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

/** Makes ID photos of earlier versions private; one that a delivery names too gets a private copy. */
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

/** Deletes ID photos 90 days after the decision, unless a dispute about a delivery of the driver is open. */
async function dropIdPhotos(ports: PhotoPorts, images: ImageStore) {
  const { repo, options, log } = ports
  const names = await repo.transaction(async ({ applications, photos }) => {
    const urls = await applications.dropPhotos(before(ports, photoLifetime.idAfterDecision))
    const dropped: string[] = []
    for (const url of urls) {
      const name = photoNameIn(url, options.imageHost)
      if (!name || !(await photos.lock(name))?.isPrivate) continue
      await photos.remove(name)
      if (await photos.claim(name, claimTime(ports))) dropped.push(name)
    }
    return dropped
  })
  for (const name of names) await removeClaimed(ports, images, name)
  if (names.length > 0) log.info({ photos: names.length }, 'ID photos were deleted')
}

async function removeUnused(ports: PhotoPorts, images: ImageStore) {
  const { repo, log } = ports
  const claim = () =>
    repo.transaction(({ photos }) =>
      photos.claimUnused(before(ports, photoLifetime.unused), claimTime(ports), claimedAtOnce),
    )
  let removed = 0
  for (let names = await claim(); names.length > 0; names = await claim()) {
    for (const name of names) await removeClaimed(ports, images, name)
    removed += names.length
  }
  if (removed > 0) log.info({ photos: removed }, 'Unused photos were deleted')
}

/** Repairs files that differ from the database: not yet moved, or without a row. */
async function repairFiles(ports: PhotoPorts, images: ImageStore) {
  const { repo, clock } = ports
  const oldest = clock() - photoLifetime.unused
  for await (const files of images.list()) {
    const names = files.map(({ name }) => name).filter(isPhotoName)
    const rows = await repo.read(({ photos }) => photos.getMany(names))
    const known = new Map(rows.map((row) => [row.name, row]))
    for (const { name, isPrivate, changedAt } of files) {
      const row = known.get(name)
      // A claimed photo is private and unused; whoever claimed it removes it.
      if (row?.isPrivate && row.isUsed && !isPrivate) await images.hide(name)
      else if (!row && changedAt < oldest) await removeUnknown(ports, images, name)
    }
  }
}

/** Removes a file without a row, unless it was uploaded again meanwhile. */
async function removeUnknown(ports: PhotoPorts, images: ImageStore, name: string) {
  // Files that are no photos are never claimed.
  if (!isPhotoName(name)) return images.remove(name)
  const at = claimTime(ports)
  if (await ports.repo.transaction(({ photos }) => photos.claim(name, at)))
    await removeClaimed(ports, images, name)
}

/** The row goes last: until then nobody can store a photo of that name, whose file would be removed here. */
async function removeClaimed({ repo }: PhotoPorts, images: ImageStore, name: string) {
  await images.remove(name)
  await repo.transaction(({ photos }) => photos.remove(name))
}

const claimedAtOnce = 500

/** The age of a claimed photo: it is old enough to be claimed again in an hour. */
const claimTime = (ports: PhotoPorts) => before(ports, photoLifetime.unused - claimLifetime)
