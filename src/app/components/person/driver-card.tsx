import type { ReactNode } from 'react'
import { type Contact, firstNameOf } from '#domain/users/user.ts'
import { licenceText } from '../../texts/licence-texts.ts'
import { monthOf } from '../../texts/time.ts'
import { SmallPhoto } from '../photo/photo.tsx'
import { AverageRating } from './stars.tsx'

/** What is shown of a driver. `portrait`: in the place of the photo. */
type Props = { driver: Omit<Contact, 'id'>; portrait?: ReactNode; children?: ReactNode }

/** What a sender sees of their driver (R114). */
export function DriverCard({ driver, portrait, children }: Props) {
  const { name, phone, rating, licence, licencePending } = driver
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {portrait ?? <Portrait name={name} photo={driver.photo} />}
      <div className="grid min-w-[min(100%,8rem)] flex-1 justify-items-start">
        <strong className="text-lg [overflow-wrap:anywhere]">{firstNameOf(name)}</strong>
        {rating && <AverageRating {...rating} />}
        <span className="text-sm text-soft">{recordText(driver)}</span>
        {phone && <span className="text-soft [overflow-wrap:anywhere]">{phone}</span>}
      </div>
      {children}
      {licence && (
        <p className="basis-full border-t border-line pt-2 text-sm text-soft [overflow-wrap:anywhere]">
          Courier licence {licenceText(licence, new Date().toISOString())}
        </p>
      )}
      {licencePending && (
        <p className="basis-full border-t border-line pt-2 text-sm text-soft [overflow-wrap:anywhere]">
          New courier licence {licencePending.number}, not checked yet
        </p>
      )}
    </div>
  )
}

/** `12 deliveries · since March 2026`. */
const recordText = ({ deliveries, since }: Props['driver']): string =>
  [
    deliveries !== undefined &&
      (deliveries === 0
        ? 'New driver'
        : `${deliveries.toLocaleString('en-GH')} ${deliveries === 1 ? 'delivery' : 'deliveries'}`),
    since && `since ${monthOf(since)}`,
  ]
    .filter(Boolean)
    .join(' · ')

export const portraitClass = 'size-16 shrink-0 rounded-full object-cover'

/** A person's photo, or the first letter of their name. */
function Portrait({ name, photo }: { name: string; photo?: string }) {
  const letter = (
    <span
      aria-hidden="true"
      className={`grid place-items-center bg-green-wash text-2xl font-bold text-green-strong ${portraitClass}`}
    >
      {name.trim().charAt(0).toUpperCase()}
    </span>
  )
  if (!photo) return letter
  return (
    <SmallPhoto
      src={photo}
      alt={`Photo of ${firstNameOf(name)}`}
      className={portraitClass}
      fallback={letter}
    />
  )
}
