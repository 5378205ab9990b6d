import type { Incident } from '#domain/deliveries/endings/incidents.ts'
import { HostedPhoto } from '../../../components/photo/photo.tsx'
import { photoHash } from '../../../texts/decision-texts.ts'
import { attemptText, releaseText } from '../../../texts/return-texts.ts'
import { Clocks } from './history-and-contacts.tsx'

/** Give-backs, attempts and returns, with what the driver said (R101 to R104). */
export const Incidents = ({ of }: { of: readonly Incident[] }) => (
  <ol className="grid gap-3">
    {of.map((incident) => (
      <li
        key={`${incident.kind} ${incident.at}`}
        className="grid gap-1.5 border-t border-line pt-3 first:border-0 first:pt-0"
      >
        <Happened incident={incident} />
      </li>
    ))}
  </ol>
)

function Happened({ incident }: { incident: Incident }) {
  const { note, photo, at, occurredAt } = incident
  return (
    <>
      <strong>{titleOf(incident)}</strong>
      {note && <p className="whitespace-pre-line [overflow-wrap:anywhere]">{note}</p>}
      <Clocks at={at} occurredAt={occurredAt} />
      {photo && <HashedPhoto src={photo} of="Photo of the attempt" />}
    </>
  )
}

function titleOf(incident: Incident): string {
  switch (incident.kind) {
    case 'attempt':
      return `Couldn't deliver: ${attemptText(incident.reason)}`
    case 'release':
      return releaseText(incident)
    case 'return':
      return 'Return started'
  }
}

/** A photo with the hash of its bytes, where its address says it. */
export function HashedPhoto({ src, of }: { src: string; of: string }) {
  const hash = photoHash(src)
  return (
    <figure className="grid gap-1">
      <HostedPhoto src={src} alt={of} />
      <figcaption className="flex flex-wrap justify-between gap-x-3 text-sm text-soft">
        <span>{of}</span>
        {hash && <code title="SHA-256 of the photo as it was taken">SHA-256 {hash}</code>}
      </figcaption>
    </figure>
  )
}
