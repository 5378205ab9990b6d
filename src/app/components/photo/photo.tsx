import { type ReactNode, useEffect, useState } from 'react'
import { photo } from '#store/queries/queries.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { thumbnailOf } from '../../browser/photos/thumbnail.ts'
import { useDataSaver } from '../../hooks/use-data-saver.ts'
import { useLive } from '../../hooks/use-live.ts'
import { ItemArt } from './item-art.tsx'
import { PhotoOnTap } from './photo-on-tap.tsx'

/** The item: its hosted photo, else the one stored on this device, else a drawing of its type. */
export function DeliveryPhoto({
  row,
  className = 'size-18',
  alt = row.view.itemDescription,
  isLarge = false,
}: {
  row: DeliveryRow
  className?: string
  /** Wider than a list's: the whole photo, not its thumbnail (R122). */
  isLarge?: boolean
  /** Empty where the item's name stands beside it. */
  alt?: string
}) {
  const { itemPhoto, itemDescription } = row.view
  const [failed, setFailed] = useState<string>()
  const frame = `${className} shrink-0 rounded-control object-cover`
  const drawing = <Placeholder item={itemDescription} className={frame} />
  const stored = row.photo ? (
    <LocalPhoto id={row.photo} alt={alt} className={frame} fallback={drawing} />
  ) : (
    drawing
  )
  if (!itemPhoto || failed === itemPhoto) return stored
  if (!isLarge) return <SmallPhoto src={itemPhoto} alt={alt} className={frame} fallback={stored} />
  return (
    <PhotoOnTap preview={<Thumbnail of={itemPhoto} className={frame} />}>
      <img
        src={itemPhoto}
        alt={alt}
        crossOrigin="anonymous"
        decoding="async"
        className={`${frame} bg-green-wash`}
        onError={() => setFailed(itemPhoto)}
      />
    </PhotoOnTap>
  )
}

type SmallPhotoProps = { src: string; alt: string; className: string; fallback: ReactNode }

/** A hosted photo of a list or a person: its thumbnail (R122). Another backend, or an older server, has none. */
export function SmallPhoto(props: SmallPhotoProps) {
  const { src, alt, className } = props
  const [unmade, setUnmade] = useState<string>()
  const thumbnail = thumbnailOf(src)
  if (!thumbnail || unmade === src) return <WholePhoto {...props} />
  return (
    <img
      src={thumbnail}
      alt={alt}
      crossOrigin="anonymous"
      loading="lazy"
      decoding="async"
      className={`bg-green-wash ${className}`}
      onError={() => setUnmade(src)}
    />
  )
}

/** In the place of a thumbnail, unless data is saved. */
function WholePhoto({ src, alt, className, fallback }: SmallPhotoProps) {
  const { isKnown, saves } = useDataSaver()
  const [failed, setFailed] = useState<string>()
  if (!isKnown || saves || failed === src) return fallback
  return (
    <img
      src={src}
      alt={alt}
      crossOrigin="anonymous"
      loading="lazy"
      decoding="async"
      className={`bg-green-wash ${className}`}
      onError={() => setFailed(src)}
    />
  )
}

/** A photo stored on this device; `fallback` where there is none or it cannot be decoded. */
function LocalPhoto(props: { id: string; alt: string; className?: string; fallback?: ReactNode }) {
  const stored = useLive(photo, props.id)
  const [url, setUrl] = useState<string>()
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    if (!stored) return
    const made = URL.createObjectURL(new Blob([stored.bytes], { type: stored.type }))
    setUrl(made)
    setFailed(false)
    return () => URL.revokeObjectURL(made)
  }, [stored])
  if (stored === null || failed) return props.fallback ?? null
  if (!url) return <span className={`skeleton block ${props.className ?? ''}`} />
  return (
    <img src={url} alt={props.alt} className={props.className} onError={() => setFailed(true)} />
  )
}

/** A photo of this phone: its bytes, or where it is hosted if that is all there is. */
export function StoredPhoto(props: { id: string; alt: string; className?: string }) {
  const stored = useLive(photo, props.id)
  if (stored?.url && stored.bytes.byteLength === 0)
    return (
      <img src={stored.url} alt={props.alt} crossOrigin="anonymous" className={props.className} />
    )
  return <LocalPhoto {...props} />
}

type HostedProps = { src: string; alt: string; className?: string }

/** A hosted photo, or a message when it cannot be loaded. */
export function HostedPhoto({
  src,
  alt,
  className = 'max-h-96 w-full rounded-control object-contain',
}: HostedProps) {
  const [failed, setFailed] = useState(false)
  if (failed)
    return (
      <p className="grid h-40 place-items-center rounded-control bg-line text-sm text-soft">
        The photo cannot be shown now.
      </p>
    )
  return (
    <PhotoOnTap preview={<Thumbnail of={src} className={className} />}>
      <img
        src={src}
        alt={alt}
        crossOrigin="anonymous"
        className={`bg-green-wash ${className}`}
        onError={() => setFailed(true)}
      />
    </PhotoOnTap>
  )
}

/** What a photo looks like, in a few kilobytes; nothing where it has no thumbnail. */
function Thumbnail({ of, className }: { of: string; className: string }) {
  const src = thumbnailOf(of)
  return src && <img src={src} alt="" crossOrigin="anonymous" className={className} />
}

function Placeholder({ item, className }: { item: string; className: string }) {
  return (
    <span className={`grid place-items-center bg-green-wash ${className}`}>
      <ItemArt item={item} />
    </span>
  )
}
