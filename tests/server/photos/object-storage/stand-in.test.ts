import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ObjectRequest, objectStorageClient } from '#server/photos/object-storage/client.ts'
import { sha256, signatureError } from '../../../helpers/server/aws-signature.ts'
import { type ObjectStorage, startObjectStorage } from '../../../helpers/server/object-storage.ts'

/* The storage of these tests refuses what S3 refuses: else they would prove nothing. */

/** From "Signature Calculations for the Authorization Header" and "… Using Query Parameters" in AWS's documentation. */
const example = {
  accessKey: 'AKIAIOSFODNN7EXAMPLE',
  secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
}
const at = Date.UTC(2013, 4, 24)
const authorization = (names: string, signature: string) =>
  `AWS4-HMAC-SHA256 Credential=${example.accessKey}/20130524/us-east-1/s3/aws4_request,SignedHeaders=${names},Signature=${signature}`
const host = 'examplebucket.s3.amazonaws.com'
const ofNothing = sha256('')
const date = '20130524T000000Z'
const signed = 'host;x-amz-content-sha256;x-amz-date'

const documented = {
  'a GET of a range': {
    method: 'GET',
    target: '/test.txt',
    headers: {
      host,
      range: 'bytes=0-9',
      'x-amz-content-sha256': ofNothing,
      'x-amz-date': date,
      authorization: authorization(
        'host;range;x-amz-content-sha256;x-amz-date',
        'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
      ),
    },
  },
  'a PUT of a key with an odd letter': {
    method: 'PUT',
    target: '/test$file.text',
    headers: {
      host,
      date: 'Fri, 24 May 2013 00:00:00 GMT',
      'x-amz-content-sha256': sha256('Welcome to Amazon S3.'),
      'x-amz-date': date,
      'x-amz-storage-class': 'REDUCED_REDUNDANCY',
      authorization: authorization(
        'date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class',
        '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
      ),
    },
  },
  'a query parameter without a value': {
    method: 'GET',
    target: '/?lifecycle',
    headers: {
      host,
      'x-amz-content-sha256': ofNothing,
      'x-amz-date': date,
      authorization: authorization(
        signed,
        'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
      ),
    },
  },
  'a list': {
    method: 'GET',
    target: '/?max-keys=2&prefix=J',
    headers: {
      host,
      'x-amz-content-sha256': ofNothing,
      'x-amz-date': date,
      authorization: authorization(
        signed,
        '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
      ),
    },
  },
  'a signed address': {
    method: 'GET',
    target: `/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=${example.accessKey}%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=${date}&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404`,
    headers: { host },
  },
}

test.each(Object.entries(documented))(
  'AWS’s documented signature of %s is right, another is not',
  (_, request) => {
    expect(signatureError(request, example, at)).toBeUndefined()
    const wrong = (over: Partial<typeof request>, now = at, secretKey = example.secretKey) =>
      signatureError({ ...request, ...over } as typeof request, { ...example, secretKey }, now)
    expect(wrong({ method: 'DELETE' })).toBe('SignatureDoesNotMatch')
    expect(wrong({ target: request.target.replace('/', '/x') })).toBe('SignatureDoesNotMatch')
    expect(wrong({ headers: { ...request.headers, host: 'other' } })).toBe('SignatureDoesNotMatch')
    expect(wrong({}, at, 'x')).toBe('SignatureDoesNotMatch')
    expect(wrong({}, at + 24 * 60 * 60_000 + 1_000)).toMatch(/AccessDenied|RequestTimeTooSkewed/)
    expect(wrong({}, at - 16 * 60_000)).toMatch(/AccessDenied|RequestTimeTooSkewed/)
  },
)

let storage: ObjectStorage
beforeEach(async () => {
  storage = await startObjectStorage()
})
afterEach(() => storage.close())

const put = (over: Partial<ObjectRequest> = {}): ObjectRequest => ({
  method: 'PUT',
  key: 'photos/a.jpg',
  body: Buffer.from('a photo'),
  headers: { 'content-type': 'image/jpeg' },
  ...over,
})
const clientWith = (over: Partial<ObjectStorage['settings']> = {}) =>
  objectStorageClient({ ...storage.settings, ...over })
const asked = (over: Partial<ObjectStorage['settings']>, request = put()) =>
  clientWith(over)
    .send(request)
    .then(
      ({ status }) => status,
      (error) => error.problem.line,
    )

test('it keeps what is signed with its key, and nothing that is signed with another', async () => {
  expect(await asked({})).toBe(200)
  expect([...storage.objects.keys()]).toEqual(['photos/a.jpg'])
  storage.objects.clear()
  expect(await asked({ secretKey: 'other' })).toMatch(/refused the key .*SignatureDoesNotMatch/)
  expect(await asked({ accessKey: 'OTHER' })).toMatch(/refused the key .*InvalidAccessKeyId/)
  expect(await asked({ region: 'us-east-1' })).toMatch(/set S3_REGION/)
  expect(await asked({ bucket: 'other' })).toMatch(/“other” .* does not exist/)
  storage.clock = () => Date.now() + 16 * 60_000
  expect(await asked({})).toMatch(/clock of this machine is wrong/)
  expect(storage.objects.size).toBe(0)
})

test('a body that changed on its way is refused', async () => {
  const { endpoint, bucket } = storage.settings
  const target = `${endpoint}/${bucket}/photos/a.jpg`
  // The signature of another request, with other bytes.
  await asked({})
  const { AwsV4Signer } = await import('aws4fetch')
  const { accessKey, secretKey, region } = storage.settings
  const { headers } = await new AwsV4Signer({
    method: 'PUT',
    url: target,
    headers: { 'x-amz-content-sha256': sha256('what was signed') },
    accessKeyId: accessKey,
    secretAccessKey: secretKey,
    service: 's3',
    region,
  }).sign()
  const answer = await fetch(target, { method: 'PUT', headers, body: 'what arrived' })
  expect([answer.status, await answer.text()]).toEqual([
    400,
    expect.stringContaining('XAmzContentSHA256Mismatch'),
  ])
})

test('a signed address opens one object, for its seconds, and only to read it', async () => {
  await asked({})
  const read = (): ObjectRequest => ({ method: 'GET', key: 'photos/a.jpg', signedFor: 60 })
  expect(await asked({}, read())).toBe(200)
  const target = storage.seen.at(-1)?.target ?? ''
  expect(target).toContain('X-Amz-Expires=60')
  const at = `${storage.settings.endpoint}${target}`
  const status = async (url: string, about?: RequestInit) => (await fetch(url, about)).status
  expect(await status(at)).toBe(200)
  expect(await status(at, { method: 'DELETE' })).toBe(403)
  expect(await status(at.replace('photos/a.jpg', 'photos/b.jpg'))).toBe(403)
  expect(await status(at.replace('Expires=60', 'Expires=6000'))).toBe(403)
  expect(await status(at.split('?')[0] ?? '')).toBe(403)
  storage.clock = () => Date.now() + 62_000
  expect(await status(at)).toBe(403)
})
