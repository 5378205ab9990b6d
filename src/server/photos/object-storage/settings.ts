/** Where an S3 bucket is, and the key that opens it. */
export type ObjectStorageSettings = {
  /** An address without a slash at its end; the bucket is the next part of the path (path-style). */
  endpoint: string
  bucket: string
  region: string
  accessKey: string
  secretKey: string
}
