import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { compressibleText } from '../../http/responses.ts'

/*
 * Compression of the API's responses (R91). Files of the app are compressed by the build. The event stream
 * and the lines of a batch are not compressed: each must leave at once, and a batch may hold a guest's token.
 */

type Coding = 'br' | 'gzip'

const compressors: Record<Coding, (text: string) => Promise<Buffer>> = {
  br: (text) =>
    promisify(brotliCompress)(text, {
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_QUALITY]: 4,
        [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
      },
    }),
  gzip: (text) => promisify(gzip)(text, { level: 5 }),
}

/** The response, compressed if it is long, may be compressed, and its client takes brotli or gzip. */
export async function compressResponse(request: Request, response: Response): Promise<Response> {
  const text = compressibleText(response)
  if (text === undefined) return response
  const coding = acceptedCoding(request.headers.get('accept-encoding') ?? '')
  const body = coding ? await compressors[coding](text) : Buffer.from(text)
  const headers = new Headers(response.headers)
  headers.append('vary', 'accept-encoding')
  headers.set('content-length', `${body.length}`)
  if (coding) headers.set('content-encoding', coding)
  // The bytes differ from those of the plain response, so the tag promises an equal meaning alone.
  const etag = headers.get('etag')
  if (coding && etag) headers.set('etag', `W/${etag}`)
  return new Response(new Uint8Array(body), { status: response.status, headers })
}

/** Brotli, else gzip, if the `Accept-Encoding` header accepts it. */
export function acceptedCoding(header: string): Coding | undefined {
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((each) => each.trim())
    const weight = parameters.find((each) => each.startsWith('q='))?.slice(2)
    weights.set(name, weight === undefined ? 1 : Number(weight) || 0)
  }
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0
  const [br, gzip] = [weightOf('br'), weightOf('gzip')]
  if (br <= 0 && gzip <= 0) return undefined
  return br >= gzip ? 'br' : 'gzip'
}
