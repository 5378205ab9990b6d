import { call } from '#contract/calls/call.ts'
import { aboutOf } from '#contract/calls/call-line.ts'
import type { ResponseOf } from '#contract/endpoints.ts'
import { challengeHeader, withByteCount } from '#contract/transport.ts'
import { errorFrom, isRetryableStatus, Refused, Unreachable } from '#contract/wire-errors.ts'
import { withProof } from '#sync/challenge/with-proof.ts'
import { getState } from '#sync/database/device/state.ts'
import { type SyncContext, withDeadline } from '#sync/platform/context.ts'
import { createUploadProgress } from '#sync/push/upload-progress.ts'
import { saveConfig } from '../deliveries/save/shared-lists.ts'
import type { SomaDb } from '../soma-db.ts'

/** An upload without progress events has this long, milliseconds; one with them, this long from one to the next. */
const patience = 180_000
const stalled = 60_000
/** What a form adds around its file. */
const envelope = 400

type About = {
  /** Under whose ID its progress is shown, where the browser reports any. */
  photo?: string
  /** Another preset than that of public photos. */
  preset?: string
  /** The login of whoever uploads, for our own server alone (R143). */
  token?: string
}

/**
 * Posts a photo to the image provider (R22: fields file and upload_preset; secure_url or
 * error.message) and returns its address. Cut off, it begins anew: sent twice, the built-in provider
 * gives the same address.
 */
export async function uploadPhoto(
  context: SyncContext<SomaDb>,
  bytes: ArrayBuffer,
  type: string,
  { photo, preset, token }: About = {},
): Promise<string> {
  const { imageUploadUrl: url, imageUploadPreset } = await imageProvider(context)
  const form = new FormData()
  form.set('file', new Blob([bytes], { type }), 'photo')
  form.set('upload_preset', preset ?? imageUploadPreset)
  const weight = bytes.byteLength + envelope
  const send = context.upload ? withProgress : withoutProgress
  return withProof(context, (proof) => {
    const headers: Record<string, string> = proof ? { [challengeHeader]: proof } : {}
    if (token && url.startsWith(`${context.base}/`)) headers.authorization = `Bearer ${token}`
    return send(context, { url, form, headers, weight, photo })
  })
}

type Posted = {
  url: string
  form: FormData
  headers: Record<string, string>
  /** Bytes, about. */
  weight: number
  photo: string | undefined
}

async function withProgress(
  context: SyncContext<SomaDb>,
  { url, form, headers, weight, photo }: Posted,
): Promise<string> {
  const { upload, clock } = context
  if (!upload) throw new Error('Nothing reports progress here')
  const line = new AbortController()
  const giveUp = () => line.abort(new Error('Timed out'))
  let timer = clock.setTimeout(giveUp, stalled)
  const progress = photo === undefined ? undefined : createUploadProgress(context, photo)
  const sent = (share: number) => {
    clock.clearTimeout(timer)
    timer = clock.setTimeout(giveUp, stalled)
    context.traffic.movedAt = clock.monotonic()
    progress?.note(share)
  }
  try {
    if (!context.isOffline?.()) context.traffic.add({ up: weight })
    return await post(() => upload(url, form, line.signal, sent, headers))
  } finally {
    clock.clearTimeout(timer)
    await progress?.end()
  }
}

const withoutProgress = (
  context: SyncContext<SomaDb>,
  { url, form, headers, weight }: Posted,
): Promise<string> =>
  withDeadline(context.clock, patience, (signal) => {
    const request = new Request(url, { method: 'POST', body: form, headers, signal })
    return post(() => context.transport(withByteCount(request, weight)))
  })

type Body = { secure_url?: unknown; error?: { message?: unknown }; challenge?: unknown } | null

async function post(send: () => Promise<Response>): Promise<string> {
  let response: Response
  let body: Body
  try {
    response = await send()
    if (response.redirected) throw new Error('A redirected response')
    body = await response.json().catch(() => undefined)
  } catch (cause) {
    throw new Unreachable('No response', { cause })
  }
  if (response.ok && typeof body?.secure_url === 'string') return body.secure_url
  const ours = typeof body === 'object' && body !== null
  if (response.ok || (!ours && !isRetryableStatus(response.status)))
    throw new Unreachable('Not our response')
  const message = body?.error?.message
  const error = {
    error: typeof message === 'string' ? message : 'Image upload failed',
    challenge: body?.challenge,
  }

  // The provider's own form of a refusal stands for one of our reasons.
  if (typeof message === 'string' && !isRetryableStatus(response.status))
    throw new Refused(response.status, 'invalid', message)
  throw errorFrom(response.status, error, aboutOf(response))
}

export type ImageProvider = ResponseOf<'config'>

/** Where photos go and what their addresses begin with: from the stored configuration, else from the server. */
export async function imageProvider(context: SyncContext<SomaDb>): Promise<ImageProvider> {
  const stored = await getState(context.db, 'config')
  const provider = stored ? (stored as ImageProvider) : await askForProvider(context)
  const { imageUploadUrl, imageHost } = provider
  if (imageUploadUrl !== `${imageHost}/api/images/upload`) return provider
  // The app may be open under another name of our server (127.0.0.1, localhost), which would be another site (R148).
  return { ...provider, imageUploadUrl: `${context.base}/images/upload` }
}

/** The configuration an earlier release stored does not name the preset of ID photos. */
export async function idUploadPreset(context: SyncContext<SomaDb>): Promise<string> {
  const provider = await imageProvider(context)
  const { idUploadPreset, imageUploadPreset } = provider.idUploadPreset
    ? provider
    : await askForProvider(context)
  return idUploadPreset ?? imageUploadPreset
}

async function askForProvider(context: SyncContext<SomaDb>): Promise<ImageProvider> {
  const { value: config } = await call(context.transport, context.base, 'config')
  if (!config) throw new Unreachable('Not our response')
  await saveConfig(context.db, config)
  return config
}
