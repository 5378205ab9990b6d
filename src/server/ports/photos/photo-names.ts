import { browserRandom } from '../secrets.ts'
import { imageKinds } from './image-type.ts'

/** 64 hex digits (a hash of the bytes, or random) and the kind of photo. */
const pattern = new RegExp(`^[0-9a-f]{64}\\.(${imageKinds.join('|')})$`)

export const isPhotoName = (text: string): boolean => pattern.test(text)

/** Whether this names one of the demo's own drawings. */
export const isDrawingName = (text: string): boolean => /^[0-9a-f]{64}\.svg$/.test(text)

const path = '/api/images/'

export const photoUrl = (imageHost: string, name: string): string =>
  imageHost.replace(/\/+$/, '') + path + name

/** The name of a photo of the built-in provider; `undefined` for any other URL. */
export function photoNameIn(url: string | undefined, imageHost: string): string | undefined {
  const before = photoUrl(imageHost, '')
  const name = url?.startsWith(before) ? url.slice(before.length) : ''
  return isPhotoName(name) ? name : undefined
}

/** A name that does not depend on the photo's bytes. */
export const randomPhotoName = (extension: string): string =>
  `${Array.from(browserRandom(32), (byte) => byte.toString(16).padStart(2, '0')).join('')}.${extension}`
