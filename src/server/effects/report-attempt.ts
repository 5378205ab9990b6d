import { Refusal } from '#domain/errors.ts'
import { isHostedPhoto, markPhotoUsed } from '../rules/photos.ts'
import { effect } from './effect.ts'

export const reportAttempt = effect<'reportAttempt'>({
  async terms({ stores, ports, asked: { input } }) {
    const { photo } = input
    const { imageHost, endings } = ports.options
    if (photo !== undefined && !isHostedPhoto(photo, imageHost))
      throw new Refusal('photo-not-hosted', 'Please upload the photo first.')
    await markPhotoUsed(stores, ports, photo)
    return { photo, wait: endings.wait }
  },
})
