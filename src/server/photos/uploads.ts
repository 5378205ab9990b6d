import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import busboy from 'busboy'
import { Refusal } from '#domain/errors.ts'
import type { Upload, Uploads } from '../ports/ports.ts'
import { processPhoto } from './processing.ts'

/** Bytes a form may add around its file. */
const maxFormBytes = 100_000

/** Our form has a file and a preset; other clients add a few fields. */
const formLimits = {
  files: 1,
  fields: 10,
  parts: 12,
  fieldNameSize: 100,
  fieldSize: 1_000,
  headerPairs: 20,
}

/** The least rate of an upload after the first seconds. A weak 2G phone sends about 3 kB/s. */
const minUploadRate = { graceSeconds: 20, leastBytesPerSecond: 1_000 }
type UploadRate = typeof minUploadRate

/** Reads forms whose file goes to `folder` until it is decoded, so that it takes no memory of its size. */
export function photoUploads(folder: string, pace = minUploadRate): Uploads {
  return {
    async read(request, mostBytes) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const path = join(folder, `${randomBytes(12).toString('hex')}.upload`)
      const discard = () => rm(path, { force: true })
      try {
        const { preset, size } = await receive(request, path, mostBytes, pace)
        if (size === undefined) return { preset, discard }
        const process = async () => ({ bytes: await processPhoto(path), extension: 'jpg' })
        return { preset, file: { size, process }, discard } satisfies Upload
      } catch (error) {
        await discard()
        throw error
      }
    },
  }
}

type Received = { preset?: string; size?: number }

/** Reads the whole form. Refusals: malformed, too-large, unavailable. Throws the disk's own error as it is. */
async function receive(request: Request, path: string, mostBytes: number, pace: UploadRate) {
  const form = formOf(request, mostBytes)
  const received: Received = {}
  let writing: Promise<void> | undefined
  let isTooLarge = false
  let isCutOff = false
  let diskError: Error | undefined
  let isEmpty = true
  form.on('field', (name, value) => {
    isEmpty = false
    if (name === 'upload_preset') received.preset = value
  })
  form.on('file', (name, file) => {
    isEmpty = false
    // When the connection breaks, every file of the form emits an error, also one that is skipped.
    file.on('error', () => {
      isCutOff = true
    })
    if (name !== 'file') return file.resume()
    received.size = 0
    file.on('data', ({ length }: Buffer) => {
      received.size = (received.size ?? 0) + length
    })
    file.once('limit', () => {
      isTooLarge = true
    })
    const disk = createWriteStream(path, { flags: 'wx', mode: 0o600 })
    disk.once('error', (error) => {
      if (isCutOff) return
      diskError = error
      // Without this the form would wait for the rest, which nothing reads, until the sender times out.
      form.destroy(error)
    })
    writing = pipeline(file, disk)
    writing.catch(() => undefined)
  })
  try {
    await feed(form, request, mostBytes + maxFormBytes, pace)
    await writing
  } catch (error) {
    form.destroy()
    await writing?.catch(() => undefined)
    if (diskError) throw diskError
    throw isCutOff && !(error instanceof Refusal) ? new Refusal('malformed') : error
  }
  if (isEmpty) throw new Refusal('malformed')
  if (isTooLarge) throw new Refusal('too-large')
  return received
}

function formOf({ headers }: Request, mostBytes: number): busboy.Busboy {
  try {
    const limits = { ...formLimits, fileSize: mostBytes + 1 }
    const form = busboy({ headers: Object.fromEntries(headers), limits })
    // A form that is destroyed early emits an error. Without a listener that would end the process.
    form.on('error', () => undefined)
    return form
  } catch {
    throw new Refusal('malformed')
  }
}

/** Writes the request's body into the form, no faster than the form takes it. */
async function feed(form: busboy.Busboy, request: Request, mostBytes: number, pace: UploadRate) {
  const reader = readerOf(request)
  const rate = watchRate(pace)
  const failed = new Promise<never>((_, reject) => {
    form.once('error', () => reject(new Refusal('malformed')))
  })
  const closed = new Promise<void>((done) => form.once('close', done))
  const stop = Promise.race([rate.tooSlow, failed])
  stop.catch(() => undefined)
  let received = 0
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), stop])
      if (done) break
      received += value.length
      rate.count(value.length)
      if (received > mostBytes) throw new Refusal('too-large')
      if (!form.write(value))
        await Promise.race([new Promise((drained) => form.once('drain', drained)), stop])
    }
    form.end()
    await Promise.race([closed, stop])
  } catch (error) {
    // The connection broke in the middle of the form.
    throw error instanceof Refusal ? error : new Refusal('malformed')
  } finally {
    rate.end()
  }
}

/** Refusal: malformed, for a request without a body, or whose connection broke before it was read. */
function readerOf(request: Request) {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  try {
    reader = request.body?.getReader()
  } catch {
    // The connection was closed: refused below.
  }
  if (!reader) throw new Refusal('malformed')
  return reader
}

/** Watches the rate of an upload: `tooSlow` rejects when it falls below the least rate. */
function watchRate({ graceSeconds, leastBytesPerSecond }: UploadRate) {
  const began = performance.now()
  let received = 0
  let timer: NodeJS.Timeout | undefined
  const tooSlow = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      const seconds = (performance.now() - began) / 1_000 - graceSeconds
      if (received < seconds * leastBytesPerSecond) reject(new Refusal('unavailable'))
    }, 500)
  })
  return {
    tooSlow,
    count: (bytes: number) => {
      received += bytes
    },
    end: () => clearInterval(timer),
  }
}

/** Milliseconds after which an upload's file was left behind by a stopped server. */
const staleAfter = 60 * 60_000

/** Removes the files that a stopped server left behind. */
export async function removeStaleUploads(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const found = await stat(join(folder, name)).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > staleAfter)
      await rm(join(folder, name), { force: true })
  }
}
