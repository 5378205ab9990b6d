import type { ObjectStorageSettings } from '../../photos/object-storage/settings.ts'
import { StartupError } from '../../startup-error.ts'

type Name = 'S3_ENDPOINT' | 'S3_BUCKET' | 'S3_ACCESS_KEY' | 'S3_SECRET_KEY'
type Variables = { PHOTOS?: 'disk' | 's3'; IMAGE_UPLOAD_URL?: string; S3_REGION?: string } & {
  [name in Name]?: string
}

/** The bucket of `PHOTOS=s3`, of variables whose forms are checked. Throws `StartupError` when one is missing. */
export function objectStorageConfig(env: Variables): ObjectStorageSettings | undefined {
  if (env.PHOTOS !== 's3') return undefined
  if (env.IMAGE_UPLOAD_URL)
    throw new StartupError('PHOTOS s3 and IMAGE_UPLOAD_URL exclude each other.')
  const required = (name: Name) => {
    const value = env[name]
    if (value === undefined) throw new StartupError(`PHOTOS s3 needs ${name}.`)
    return value
  }
  return {
    endpoint: required('S3_ENDPOINT').replace(/\/+$/, ''),
    bucket: required('S3_BUCKET'),
    accessKey: required('S3_ACCESS_KEY'),
    secretKey: required('S3_SECRET_KEY'),
    // Of MinIO and Ceph, and another name of R2's `auto`. On AWS it is that of the bucket.
    region: env.S3_REGION ?? 'us-east-1',
  }
}
