import type { ObjectStorageClient } from './client.ts'

type ListedObject = { key: string; changedAt: number }

/** The objects whose key begins with `prefix`, in pages of at most 1,000. Throws `StorageUnavailable`. */
export async function* listObjects(
  client: Pick<ObjectStorageClient, 'send'>,
  prefix: string,
): AsyncGenerator<ListedObject[]> {
  let next: string | undefined
  do {
    const query = {
      'list-type': '2',
      prefix,
      ...(next === undefined ? {} : { 'continuation-token': next }),
    }
    const { body } = await client.send({ method: 'GET', key: '', query })
    const xml = Buffer.from(body).toString()
    yield objectsIn(xml)
    next = isCut(xml) ? textOf(xml, 'NextContinuationToken') : undefined
  } while (next !== undefined)
}

const isCut = (xml: string) => textOf(xml, 'IsTruncated') === 'true'

/** Keys of photos hold nothing that XML writes in another way; another key is not the name of a photo. */
function objectsIn(xml: string): ListedObject[] {
  const parts = xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)
  return [...parts].map(([, part = '']) => ({
    key: textOf(part, 'Key') ?? '',
    changedAt: Date.parse(textOf(part, 'LastModified') ?? ''),
  }))
}

function textOf(xml: string, tag: string): string | undefined {
  const text = new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml)?.[1]
  return text?.replace(/&(?:amp|lt|gt|quot|apos|#34|#39);/g, (entity) => entities[entity] ?? '')
}

const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&#34;': '"',
  '&#39;': "'",
}
