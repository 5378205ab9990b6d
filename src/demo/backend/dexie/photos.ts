import type { Photos } from '#server/ports/stores/photo-store.ts'
import type { Applications } from '#server/ports/stores/record-stores.ts'
import { type ServerDb, wasAdded } from './database.ts'

export const photosOver = ({ photos }: ServerDb): Photos => ({
  get: (name) => photos.get(name),
  // Only one transaction writes at a time, so there is nothing to lock.
  lock: (name) => photos.get(name),
  getMany: async (names) => (await photos.bulkGet(names)).filter((row) => row !== undefined),
  async add(photo) {
    const row = await photos.get(photo.name)
    if (!row) await photos.add(photo)
    else if (!row.isUsed && !row.isPrivate) {
      const { at, uploader, bytes } = photo
      await photos.update(photo.name, { at, uploader, bytes })
    }
    return (row ?? photo).isPrivate === photo.isPrivate
  },
  async use(name) {
    await photos.update(name, { isUsed: true })
  },
  async makePrivate(name, at) {
    const row = { name, isPrivate: true, isUsed: true, bytes: 0, uploader: '', at }
    if (await wasAdded(photos.add(row))) return
    await photos.update(name, { isPrivate: true, isUsed: true })
  },
  remove: (name) => photos.delete(name),
  async storedBy(uploader, since) {
    const rows = await photos.filter((row) => row.uploader === uploader && row.at > since).toArray()
    const [first] = rows.map(({ at }) => at).sort()
    return { bytes: rows.reduce((sum, row) => sum + row.bytes, 0), first }
  },
  async claimUnused(before, at, limit) {
    const unused = photos.filter((row) => !row.isUsed && row.at < before).limit(limit)
    const names = await unused.primaryKeys()
    for (const name of names) await photos.update(name, { isPrivate: true, at })
    return names
  },
  async claim(name, at) {
    const row = { name, isPrivate: true, isUsed: false, bytes: 0, uploader: '', at }
    return wasAdded(photos.add(row))
  },
})

type ApplicationPhotos = Pick<
  Applications,
  'withPublicPhoto' | 'changePhoto' | 'ownersOfPhoto' | 'dropPhotos'
>

export function applicationPhotosOver(db: ServerDb): ApplicationPhotos {
  const { applications, deliveries, photos } = db
  return {
    async withPublicPhoto() {
      const rows = await applications.filter(({ idPhoto }) => idPhoto !== '').toArray()
      const stored = await photos.bulkGet(rows.map(({ idPhoto }) => fileNameOf(idPhoto)))
      const shared = new Set<string | undefined>()
      await deliveries.each(({ delivery: { itemPhoto, proofOfDelivery } }) => {
        shared.add(itemPhoto).add(proofOfDelivery)
      })
      return rows
        .filter((_, index) => !stored[index]?.isPrivate)
        .map(({ userId, idPhoto }) => ({ userId, idPhoto, isShared: shared.has(idPhoto) }))
    },
    async changePhoto(userId, idPhoto) {
      await applications.update(userId, { idPhoto })
    },
    async ownersOfPhoto(name) {
      const rows = await applications
        .filter(({ idPhoto }) => fileNameOf(idPhoto) === name)
        .toArray()
      return rows.map(({ userId }) => userId)
    },
    async dropPhotos(decidedBefore) {
      const disputed = await driversInDispute(db)
      const dropped = await applications
        .filter(({ idPhoto, decidedAt }) => idPhoto !== '' && (decidedAt ?? '~') < decidedBefore)
        .filter(({ userId }) => !disputed.has(userId))
        .toArray()
      for (const { userId } of dropped) await applications.update(userId, { idPhoto: '' })
      const inUse = new Set((await applications.toArray()).map(({ idPhoto }) => idPhoto))
      const urls = new Set(dropped.map(({ idPhoto }) => idPhoto))
      return [...urls].filter((url) => !inUse.has(url))
    },
  }
}

const fileNameOf = (url: string) => url.split('/').at(-1) ?? ''

/** The IDs of drivers of a delivery with an open dispute. */
async function driversInDispute({
  deliveries,
  disputes,
}: ServerDb): Promise<Set<string | undefined>> {
  const open = await disputes.filter(({ status }) => status === 'open').toArray()
  const rows = await deliveries.bulkGet(open.map(({ DeliveryID }) => DeliveryID))
  return new Set(rows.map((row) => row?.delivery.driver?.id))
}
