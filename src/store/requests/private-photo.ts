import { Refused, Unreachable } from '#contract/wire-errors.ts'
import { patience, type SyncContext, withDeadline } from '#sync/platform/context.ts'
import { currentSession } from '../session.ts'
import type { SomaDb } from '../soma-db.ts'
import { imageProvider } from './upload-photo.ts'

/**
 * Fetches a photo that the built-in provider shows to this person alone; nothing when its address is
 * another provider's, where everybody may see it. It is stored nowhere. The token goes to our own API
 * only, whatever the address is. Throws `Refused` or `Unreachable`.
 */
export async function fetchPrivatePhoto(
  context: SyncContext<SomaDb>,
  url: string,
  stop?: AbortSignal,
): Promise<Blob | undefined> {
  const { imageHost } = await imageProvider(context)
  const path = pathBelow(`${imageHost.replace(/\/+$/, '')}/api/`, url)
  if (path === undefined) return undefined
  const token = (await currentSession(context.db))?.token
  try {
    const load = async (signal: AbortSignal) => {
      const request = new Request(`${context.base}/${path}`, {
        headers: { authorization: `Bearer ${token}`, accept: 'image/*' },
        signal,
        cache: 'no-store',
      })
      return photoIn(await context.transport(request))
    }
    return await withDeadline(context.clock, patience, load, stop)
  } catch (error) {
    if (error instanceof Refused) throw error
    throw new Unreachable('No response', { cause: error })
  }
}

/** Names and folders alone: an address that climbs out of its folder is no photo's. */
function pathBelow(folder: string, url: string): string | undefined {
  if (!url.startsWith(folder)) return undefined
  const path = url.slice(folder.length)
  return /^[\w-]+(\/[\w-]+)*(\.\w+)?$/.test(path) ? path : undefined
}

async function photoIn(response: Response): Promise<Blob> {
  const { status } = response
  if (!response.ok || response.redirected)
    throw status < 500 && status >= 400
      ? new Refused(status, 'not-found', 'The photo is not there.')
      : new Unreachable('Not our response', { status })
  const photo = await response.blob()
  if (!photo.type.startsWith('image/')) throw new Unreachable('Not our response')
  return photo
}
