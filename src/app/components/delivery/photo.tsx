import { useEffect, useState } from 'react'
import { photo } from '#store/queries/queries.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { useLive } from '../../hooks/use-live.ts'
import { ItemArt } from './item-art.tsx'

/** The item: the hosted photo, else the one on this phone, else a drawing of its kind. */
export function DeliveryPhoto({
  row,
  className = 'size-18',
}: {
  row: DeliveryRow
  className?: string
}) {
  const { itemPhoto, itemDescription } = row.view
  const [failed, setFailed] = useState<string>()
  const frame = `${className} shrink-0 rounded-control object-cover`
  const drawing = <Placeholder item={itemDescription} className={frame} />
  if (itemPhoto && failed !== itemPhoto)
    return (
      <img
        src={itemPhoto}
        alt={itemDescription}
        crossOrigin="anonymous"
        loading="lazy"
        decoding="async"
        className={`${frame} bg-green-wash`}
        onError={() => setFailed(itemPhoto)}
      />
    )
  if (!row.photo) return drawing
  return <LocalPhoto id={row.photo} alt={itemDescription} className={frame} fallback={drawing} />
}

/** A photo kept on this phone. */
export function LocalPhoto(about: {
  id: string
  alt: string
  className?: string
  fallback?: React.ReactNode
}) {
  const stored = useLive((db) => photo(db, about.id), [about.id])
  const [url, setUrl] = useState<string>()
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    if (!stored) return
    const made = URL.createObjectURL(new Blob([stored.bytes], { type: stored.type }))
    setUrl(made)
    setFailed(false)
    return () => URL.revokeObjectURL(made)
  }, [stored])
  if (stored === null || failed) return about.fallback ?? null
  if (!url) return <span className={`skeleton block ${about.className ?? ''}`} />
  return (
    <img src={url} alt={about.alt} className={about.className} onError={() => setFailed(true)} />
  )
}

/** A hosted photo that says so when it cannot be shown. */
export function HostedPhoto({ src, alt }: { src: string; alt: string }) {
  const [failed, setFailed] = useState(false)
  if (failed)
    return (
      <p className="grid h-40 place-items-center rounded-control bg-line text-sm text-soft">
        The photo cannot be shown now.
      </p>
    )
  return (
    <img
      src={src}
      alt={alt}
      crossOrigin="anonymous"
      className="max-h-96 w-full rounded-control bg-green-wash object-contain"
      onError={() => setFailed(true)}
    />
  )
}

function Placeholder({ item, className }: { item: string; className: string }) {
  return (
    <span className={`grid place-items-center bg-green-wash ${className}`}>
      <ItemArt item={item} />
    </span>
  )
}
