/// <reference lib="webworker" />
import { scope, storagePrefix } from './base-url.ts'

/*
 * A photo that was shared to the installed app, from WhatsApp or the gallery (the manifest's `share_target`). It is stored
 * here, with or without a network, and the request form takes it from there (src/app/browser/photos/shared-photo.ts).
 */

const cacheName = `${storagePrefix}soma-shared`

/** Stores the first image of what was shared, and opens the request form. */
export async function takeShared(request: Request): Promise<Response> {
  if (isCrossSite(request)) return new Response('', { status: 403 })
  const form = await request.formData().catch(() => undefined)
  const shared = form?.getAll('photo') ?? []
  const photo = shared.find((each): each is File => each instanceof File && isPhotoType(each.type))
  const isStored = photo !== undefined && (await store(photo))
  return Response.redirect(new URL(isStored ? 'send?shared=photo' : 'send', scope), 303)
}

/**
 * Whether a page of another site sent this form (R148). Browsers may keep the header from a worker; a page's referrer
 * is then its origin, and what an app shares has none, or one of the app (`android-app:`).
 */
function isCrossSite({ headers, referrer }: Request): boolean {
  if (headers.get('sec-fetch-site') === 'cross-site') return true
  return /^https?:/.test(referrer) && new URL(referrer).origin !== new URL(scope).origin
}

/** A drawing can hold scripts, and no camera makes one. A photo without an ending comes as `application/octet-stream`. */
const isPhotoType = (type: string) => /^(image\/(?!svg)|application\/octet-stream$)/.test(type)

/** False on a full phone: the form opens without the photo. */
const store = (photo: File): Promise<boolean> =>
  caches
    .open(cacheName)
    .then((cache) =>
      cache.put(
        new URL('shared-photo', scope),
        new Response(photo, { headers: { 'content-type': photo.type } }),
      ),
    )
    .then(
      () => true,
      () => false,
    )
