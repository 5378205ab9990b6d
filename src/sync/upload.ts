import { call } from '#contract/call.ts'
import { errorFrom, Unreachable } from '#contract/errors.ts'
import { deadline, type Tools } from './tools.ts'

const patience = 180_000

/**
 * Posts a photo to the image provider (spec §7: fields file and upload_preset; secure_url or
 * error.message) and returns its address. Sent twice, the built-in provider gives the same address.
 */
export async function uploadPhoto(tools: Tools, bytes: ArrayBuffer, type: string): Promise<string> {
  const { imageUploadUrl, imageUploadPreset } = await imageProvider(tools)
  const form = new FormData()
  form.set('file', new Blob([bytes], { type }), 'photo')
  form.set('upload_preset', imageUploadPreset)
  const { signal, clear } = deadline(tools.clock, patience)
  try {
    return await post(tools, new Request(imageUploadUrl, { method: 'POST', body: form, signal }))
  } finally {
    clear()
  }
}

async function post(tools: Tools, request: Request): Promise<string> {
  let response: Response
  let body: { secure_url?: unknown; error?: { message?: unknown } }
  try {
    response = await tools.transport(request)
    body = await response.json()
  } catch (cause) {
    throw new Unreachable('No answer', { cause })
  }
  if (response.redirected) throw new Unreachable('A redirected answer')
  if (response.ok && typeof body?.secure_url === 'string') return body.secure_url
  const said = body?.error?.message
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN) * 1000
  if (response.ok) throw new Unreachable('Not our answer')
  const error = { error: typeof said === 'string' ? said : 'Image upload failed' }
  throw errorFrom(response.status, error, Number.isNaN(retryAfter) ? undefined : retryAfter)
}

async function imageProvider(tools: Tools) {
  const kept = await tools.db.meta.get('config')
  if (kept) return kept.value as { imageUploadUrl: string; imageUploadPreset: string }
  const { value: config } = await call(tools.transport, tools.base, 'config')
  if (!config) throw new Unreachable('Not our answer')
  await tools.db.meta.put({ key: 'config', value: config })
  return config
}
