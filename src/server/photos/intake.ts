import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { Refusal } from '#domain/errors.ts'
import { type AddressCaller, addressLimits } from '../limits/address-limits.ts'
import { attemptKey } from '../limits/rate-limits.ts'
import { uploadSlots } from '../limits/upload-slots.ts'
import { photoUrl, randomPhotoName } from '../ports/photos/photo-names.ts'
import { StorageUnavailable } from '../ports/photos/storage-problem.ts'
import type { ImageStore, Ports, Uploads } from '../ports/ports.ts'

/** Bytes of one photo as it is sent (R66). */
const maxPhotoBytes = 10_000_000
/** Bytes that the rest of a form may add. */
const maxFormBytes = 100_000

const day = 24 * 60 * 60_000
/** Bytes kept for one account or address in a day: some 16,000 photos of phones. */
const dailyQuota = 4_000_000_000

/** Bytes kept free on the disk of the photos: PostgreSQL may use it too, and stops when it is full. */
export const minFreeBytes = 500_000_000

/** Seconds after which a client tries again when the disk is full. */
const retryAfterSeconds = 300

/** Answered with 503: the disk of the photos is nearly full. */
export class DiskFull extends Refusal {
  readonly retryAfter = retryAfterSeconds
  constructor() {
    super('unavailable', 'There is no room for photos just now. Please try again later.')
  }
}

/** Gives the function that checks, decodes, names and stores an uploaded photo. */
export function photoIntake(ports: Ports, images: ImageStore, uploads: Uploads) {
  const { repo, secrets, options, clock } = ports
  const slots = uploadSlots()
  const fromAddress = addressLimits(ports)

  /** Refusals: too-many, by the number of uploads or by what they take. */
  async function countUpload(caller: AddressCaller, at: string) {
    const uploader = attemptKey(secrets, options.limits.uploads, fromAddress.subjectOf(caller))
    await repo.transaction(async (stores) => {
      const since = Date.parse(at) - day
      const stored = await stores.photos.storedBy(uploader, new Date(since).toISOString())
      if (stored.bytes < dailyQuota)
        return fromAddress.count(stores, options.limits.uploads, caller, at)
      const wait = Math.ceil((Date.parse(stored.first ?? at) - since) / 1_000)
      const heat = stored.bytes / dailyQuota
      const beyond = { name: 'upload-bytes', retryAfter: Math.max(1, wait), heat }
      await fromAddress.admit(stores, beyond, caller, at)
    })
    return uploader
  }

  /**
   * A public photo is named by the hash of its bytes: uploaded twice, it is stored once. The name of one
   * that became private, or is being removed, is not used again: the same bytes get another name.
   */
  async function store(bytes: Uint8Array, extension: string, isPrivate: boolean, uploader: string) {
    const at = new Date(clock()).toISOString()
    const keepAs = async (name: string) => {
      const row = { name, isPrivate, isUsed: false, bytes: bytes.length, uploader, at }
      // Before the file: garbage collection of any process leaves a name alone once it has a row.
      if (!(await repo.transaction(({ photos }) => photos.add(row)))) return false
      await images.put(name, bytes, isPrivate)
      // Made now, so that nobody waits for it in a list.
      if (!isPrivate) await images.thumbnail?.(name, bytes)
      return true
    }
    const name = isPrivate
      ? randomPhotoName(extension)
      : `${bytesToHex(sha256(bytes))}.${extension}`
    const known = isPrivate ? undefined : await repo.read(({ photos }) => photos.get(name))
    if (!known?.isPrivate && (await keepAs(name))) return name
    const other = randomPhotoName(extension)
    await keepAs(other)
    return other
  }

  async function receive(request: Request, caller: AddressCaller): Promise<string> {
    if ((await images.freeBytes()) < minFreeBytes) throw new DiskFull()
    const problem = await images.problem?.()
    if (problem) throw new StorageUnavailable(problem)
    const uploader = await countUpload(caller, new Date(clock()).toISOString())
    const upload = await uploads.read(request, maxPhotoBytes)
    try {
      const { preset, file } = upload
      const isPrivate = preset === options.idUploadPreset
      if (!isPrivate && preset !== options.imageUploadPreset)
        throw new Refusal('invalid', 'Upload preset not found')
      if (!file) throw new Refusal('invalid', 'Missing required parameter - file')
      const { bytes, extension } = await file.process()
      return await store(bytes, extension, isPrivate, uploader)
    } finally {
      await upload.discard()
    }
  }

  /** Stores the photo of this request and returns its URL. Its headers are checked before its body is read. */
  return async function take(request: Request, caller: AddressCaller): Promise<string> {
    if (!/^multipart\/form-data\s*;/i.test(request.headers.get('content-type') ?? ''))
      throw new Refusal('malformed')
    if (Number(request.headers.get('content-length') ?? 0) > maxPhotoBytes + maxFormBytes)
      throw new Refusal('too-large')
    const free = slots.take(caller.address)
    try {
      return photoUrl(options.imageHost, await receive(request, caller))
    } finally {
      free()
    }
  }
}
