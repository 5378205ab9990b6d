import type { Applications, Photos } from '#server/ports/repo.ts'
import { isNew, type ServerDb } from './database.ts'

export const photosOver = ({ photos }: ServerDb): Photos => ({
  get: (name) => photos.get(name),
  // One transaction writes at a time.
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
    if (await isNew(photos.add(row))) return
    await photos.update(name, { isPrivate: true, isUsed: true })
  },
  remove: (name) => photos.delete(name),
  async storedBy(uploader, since) {
    const rows = await photos.filter((row) => row.uploader === uploader && row.at > since).toArray()
    const [first] = rows.map(({ at }) => at).sort()
    return { bytes: rows.reduce((sum, row) => sum + row.bytes, 0), first }
  },
  async removeUnused(before) {
    const swept = photos.filter((row) => !row.isUsed && row.at < before)
    const names = await swept.primaryKeys()
    await photos.bulkDelete(names)
    return names
  },
})

type ApplicationPhotos = Pick<
  Applications,
  'withPublicPhoto' | 'changePhoto' | 'ownersOfPhoto' | 'dropPhotos'
>

export function applicationPhotosOver(db: ServerDb): ApplicationPhotos {
  const { applications, deliveries, disputes, photos, users } = db

  async function driversInDispute(): Promise<Set<string | undefined>> {
    const open = await disputes.filter(({ status }) => status === 'open').toArray()
    const rows = await deliveries.bulkGet(open.map(({ DeliveryID }) => DeliveryID))
    return new Set(rows.map((row) => row?.delivery.driver?.id))
  }

  return {
    async withPublicPhoto() {
      const rows = await applications.filter(({ idPhoto }) => idPhoto !== '').toArray()
      const kept = await photos.bulkGet(rows.map(({ idPhoto }) => lastOf(idPhoto)))
      const named = new Set<string | undefined>()
      await deliveries.each(({ delivery: { itemPhoto, proofOfDelivery } }) => {
        named.add(itemPhoto).add(proofOfDelivery)
      })
      return rows
        .filter((_, at) => !kept[at]?.isPrivate)
        .map(({ userId, idPhoto }) => ({ userId, idPhoto, isShared: named.has(idPhoto) }))
    },
    async changePhoto(userId, idPhoto) {
      await applications.update(userId, { idPhoto })
    },
    async ownersOfPhoto(name) {
      const rows = await applications.filter(({ idPhoto }) => lastOf(idPhoto) === name).toArray()
      const people = await users.bulkGet(rows.map(({ userId }) => userId))
      return people.flatMap((user) => user?.email ?? [])
    },
    async dropPhotos(decidedBefore) {
      const disputed = await driversInDispute()
      const dropped = await applications
        .filter(({ idPhoto, decidedAt }) => idPhoto !== '' && (decidedAt ?? '~') < decidedBefore)
        .filter(({ userId }) => !disputed.has(userId))
        .toArray()
      for (const { userId } of dropped) await applications.update(userId, { idPhoto: '' })
      const still = new Set((await applications.toArray()).map(({ idPhoto }) => idPhoto))
      const urls = new Set(dropped.map(({ idPhoto }) => idPhoto))
      return [...urls].filter((url) => !still.has(url))
    },
  }
}

const lastOf = (url: string) => url.split('/').at(-1) ?? ''
