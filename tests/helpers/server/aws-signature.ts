import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/*
 * AWS Signature Version 4 as a storage checks it, computed from the raw request. It shares no code with the
 * library that signs the server's requests.
 */

export type RawRequest = {
  method: string
  /** Path and query as they were sent. */
  target: string
  /** Names in lower case. */
  headers: Record<string, string>
}

type Credentials = { accessKey: string; secretKey: string }

/** The code of the error that S3 would answer, or `undefined` when the signature is right. */
export function signatureError(
  request: RawRequest,
  { accessKey, secretKey }: Credentials,
  now: number,
): string | undefined {
  const signature = headerSignature(request) ?? querySignature(request)
  if (!signature) return 'AccessDenied'
  const { credential, signedHeaders, date, expires, claimed } = signature
  const [id, day = '', region = '', service = '', end] = credential.split('/')
  if (id !== accessKey) return 'InvalidAccessKeyId'
  if (service !== 's3' || end !== 'aws4_request' || !date.startsWith(day))
    return 'AuthorizationHeaderMalformed'
  if (!signedHeaders.includes('host')) return 'SignatureDoesNotMatch'
  const age = (now - timeOf(date)) / 1_000
  if (expires === undefined ? Math.abs(age) > 15 * 60 : age > expires || age < -15 * 60)
    return expires === undefined ? 'RequestTimeTooSkewed' : 'AccessDenied'
  const canonical = canonicalRequest(request, signedHeaders, expires !== undefined)
  const scope = [day, region, service, end].join('/')
  const text = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')
  const key = [day, region, service, 'aws4_request'].reduce(
    (secret: string | Buffer, part) => hmac(secret, part),
    `AWS4${secretKey}`,
  )
  const right = hmac(key, text)
  const given = Buffer.from(claimed, 'hex')
  const isRight = given.length === right.length && timingSafeEqual(given, right)
  return isRight ? undefined : 'SignatureDoesNotMatch'
}

/** The region that a request was signed for. */
export const signedRegion = ({ headers, target }: RawRequest): string | undefined =>
  /Credential=[^/]+\/\d+\/([^/]+)\//.exec(headers.authorization ?? '')?.[1] ??
  queryOf(target).get('X-Amz-Credential')?.split('/')[2]

function headerSignature({ headers }: RawRequest) {
  const found =
    /^AWS4-HMAC-SHA256 Credential=(\S+?), ?SignedHeaders=(\S+?), ?Signature=([0-9a-f]+)$/.exec(
      headers.authorization ?? '',
    )
  if (!found) return undefined
  const [, credential = '', names = '', claimed = ''] = found
  const date = headers['x-amz-date'] ?? ''
  return { credential, signedHeaders: names.split(';'), claimed, date, expires: undefined }
}

function querySignature({ target }: RawRequest) {
  const query = queryOf(target)
  const claimed = query.get('X-Amz-Signature')
  if (!claimed || query.get('X-Amz-Algorithm') !== 'AWS4-HMAC-SHA256') return undefined
  return {
    credential: query.get('X-Amz-Credential') ?? '',
    signedHeaders: (query.get('X-Amz-SignedHeaders') ?? '').split(';'),
    claimed,
    date: query.get('X-Amz-Date') ?? '',
    expires: Number(query.get('X-Amz-Expires') ?? 0),
  }
}

function canonicalRequest(
  { method, target, headers }: RawRequest,
  signedHeaders: string[],
  isPresigned: boolean,
) {
  const path = (target.split('?')[0] ?? '')
    .split('/')
    .map((part) => encode(decodeURIComponent(part)))
    .join('/')
  const query = [...queryOf(target)]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
  const lines = signedHeaders.map(
    (name) => `${name}:${(headers[name] ?? '').trim().replace(/ +/g, ' ')}\n`,
  )
  const payload = isPresigned ? 'UNSIGNED-PAYLOAD' : (headers['x-amz-content-sha256'] ?? '')
  return [method, path, query, lines.join(''), signedHeaders.join(';'), payload].join('\n')
}

export const queryOf = (target: string) => new URLSearchParams(target.split('?')[1] ?? '')

/** As RFC 3986: everything but letters, digits and `-._~`. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** Milliseconds since 1970 of `20130524T000000Z`. */
const timeOf = (date: string) =>
  Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))

export const sha256 = (bytes: string | Uint8Array) =>
  createHash('sha256').update(bytes).digest('hex')

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
