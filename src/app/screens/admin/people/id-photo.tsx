import { useEffect, useState } from 'react'
import { syncStatus } from '#store/queries/queries.ts'
import { note } from '#sync/database/device/diagnostics.ts'
import { Button } from '../../../components/forms/button.tsx'
import { HostedPhoto } from '../../../components/photo/photo.tsx'
import { useLive } from '../../../hooks/use-live.ts'
import { useSoma } from '../../../hooks/use-soma.ts'

type Found = 'loading' | 'failed' | { url: string } | 'hosted'

/** A driver's ID photo. It is not stored on this device (R55). */
export function IdPhoto({ src, alt }: { src: string; alt: string }) {
  const reachable = useLive(syncStatus)?.reachable !== false
  const [tries, setTries] = useState(0)
  const found = usePrivatePhoto(src, tries)
  if (found === 'hosted') return <HostedPhoto src={src} alt={alt} />
  if (found === 'loading')
    return (
      <div className="skeleton h-64 rounded-control" role="status" aria-label="Loading the photo" />
    )
  if (found === 'failed')
    return (
      <div className="grid justify-items-center gap-3 rounded-control bg-line p-6" role="alert">
        <p className="font-semibold">
          {reachable ? "Couldn't load the photo" : 'Not available offline'}
        </p>
        {reachable && (
          <Button look="edge" icon="retry" onClick={() => setTries((before) => before + 1)}>
            Retry
          </Button>
        )}
      </div>
    )
  return (
    <img
      src={found.url}
      alt={alt}
      className="max-h-96 w-full rounded-control bg-green-wash object-contain"
    />
  )
}

/** Fetches the photo each time it is shown, and frees its URL afterwards (R55). */
function usePrivatePhoto(src: string, tries: number): Found {
  const { privatePhoto } = useSoma()
  const [found, setFound] = useState<Found>('loading')
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try fetches it anew.
  useEffect(() => {
    const stop = new AbortController()
    let url: string | undefined
    const show = (photo: Blob | undefined) => {
      if (stop.signal.aborted) return
      url = photo && URL.createObjectURL(photo)
      setFound(url === undefined ? 'hosted' : { url })
    }
    setFound('loading')
    privatePhoto(src, stop.signal).then(show, (error: unknown) => {
      if (stop.signal.aborted) return
      note('An ID photo could not be loaded', { error })
      setFound('failed')
    })
    return () => {
      stop.abort()
      if (url !== undefined) URL.revokeObjectURL(url)
    }
  }, [privatePhoto, src, tries])
  return found
}
