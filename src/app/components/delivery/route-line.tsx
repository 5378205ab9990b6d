import { Verbatim } from '../text/verbatim.tsx'

/** `Osu ······ Tema`. A screen reader says "Osu to Tema"; where the line wraps, the dots stay with the second zone. */
export function RouteLine(props: { from: string; to: string; isStrong?: boolean }) {
  const { from, to, isStrong } = props
  return (
    <span
      className={`flex min-w-0 flex-wrap items-center gap-x-2 [overflow-wrap:anywhere] ${isStrong ? 'text-lg leading-tight font-bold' : 'text-sm font-semibold'}`}
    >
      <Verbatim>{from}</Verbatim>
      <span className="flex items-center gap-x-2">
        <span
          aria-hidden="true"
          className="h-0 w-5 shrink-0 border-t-2 border-dotted border-soft"
        />
        <span className="sr-only">to</span>
        <Verbatim>{to}</Verbatim>
      </span>
    </span>
  )
}
