import { createHash } from 'node:crypto'
import type { S3, S3RequestOptions } from '@aws-sdk/client-s3'
import type { Failure } from './describe-problem.ts'

/** Makes one request; `undefined` for an object that is not there. Throws `StorageUnavailable`. */
export type Send = <T>(
  action: Failure['action'],
  request: (s3: S3, options: S3RequestOptions) => Promise<T>,
) => Promise<T | undefined>

/** What is done with the objects of one bucket, by `send`. */
export function bucketOf(Bucket: string, send: Send) {
  return {
    /** The object, or the bytes of it that `range` names, with the place of these (`bytes 0-9/100`). */
    get: (Key: string, range?: string) =>
      send('read from', async (s3, options) => {
        const { Body, ContentRange } = await s3.getObject({ Bucket, Key, Range: range }, options)
        const bytes = new Uint8Array((await Body?.transformToByteArray()) ?? [])
        return { bytes, place: ContentRange }
      }),

    /** The size in bytes and the SHA-256 that was kept with the object. */
    head: (Key: string) =>
      send('read from', async (s3, options) => {
        const { ContentLength, Metadata } = await s3.headObject({ Bucket, Key }, options)
        return { size: ContentLength, sha256: Metadata?.sha256 }
      }),

    put: (Key: string, Body: Uint8Array, ContentType = 'application/octet-stream') =>
      send('write to', (s3, options) => {
        const Metadata = { sha256: sha256(Body) }
        return s3.putObject({ Bucket, Key, Body, ContentType, Metadata }, options)
      }),

    /** False when there is no such object. */
    copy: async (from: string, to: string): Promise<boolean> => {
      const copied = await send('write to', (s3, options) =>
        s3.copyObject({ Bucket, Key: to, CopySource: `${Bucket}/${from}` }, options),
      )
      return copied !== undefined
    },

    remove: (Key: string) =>
      send('delete from', (s3, options) => s3.deleteObject({ Bucket, Key }, options)),

    /** The objects whose key begins with `prefix`, in pages of at most `pageSize`. */
    async *list(Prefix: string, pageSize = 1_000) {
      let next: string | undefined
      do {
        const about = { Bucket, Prefix, MaxKeys: pageSize, ContinuationToken: next }
        const page = await send('list', (s3, options) => s3.listObjectsV2(about, options))
        yield (page?.Contents ?? []).map(({ Key = '', LastModified }) => ({
          key: Key,
          changedAt: LastModified?.getTime() ?? Date.now(),
        }))
        next = page?.NextContinuationToken
      } while (next !== undefined)
    },
  }
}

export const sha256 = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex')
