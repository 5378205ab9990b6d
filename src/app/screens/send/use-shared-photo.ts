import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { note } from '#sync/database/device/diagnostics.ts'
import { forgetSharedPhoto, sharedPhoto } from '../../browser/photos/shared-photo.ts'

/**
 * Hands a photo that was shared to the app to the form, which begins with it. Where the form has a photo already,
 * `isAsking` is true until the person answers: nothing is replaced unseen.
 */
export function useSharedPhoto(hasPhoto: boolean, onPhoto: (photo: Blob) => Promise<unknown>) {
  const [search, setSearch] = useSearchParams()
  const [isAsking, setIsAsking] = useState(false)
  const isShared = search.has('shared')
  const take = async () => {
    setIsAsking(false)
    try {
      const photo = await sharedPhoto()
      // What is no photo is not tried again, and may be large.
      if (photo) await onPhoto(photo).finally(forgetSharedPhoto)
    } catch (error) {
      note('A shared photo was not taken', { error })
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each share
  useEffect(() => {
    if (!isShared) return
    const params = new URLSearchParams(search)
    params.delete('shared')
    params.set('step', '1')
    setSearch(params, { replace: true })
    if (hasPhoto) setIsAsking(true)
    else void take()
  }, [isShared])
  const refuse = () => {
    setIsAsking(false)
    void forgetSharedPhoto().catch((error: unknown) =>
      note('A shared photo was not deleted', { error }),
    )
  }
  return { isAsking, take, refuse }
}
