import { Verbatim } from '../text/verbatim.tsx'

/**
 * `Osu ······ Tema`. A screen reader says "Osu to Tema"; where the line wraps, the dots stay with the second zone.
 * `after`: at the end of the line, for which the dots get shorter.
 */
export function RouteLine(props: { from: string; to: string; isStrong?: boolean; after?: string }) {
  const { from, to, isStrong, after } = props
  const gap = after ? 'gap-x-1' : 'gap-x-2'
  return (
    <span
      className={`flex min-w-0 flex-wrap items-center ${gap} ${isStrong ? 'text-lg leading-tight font-bold' : 'text-sm font-semibold'}`}
    >
      <Verbatim>{from}</Verbatim>
      <span className={`flex items-center ${gap}`}>
        <span
          aria-hidden="true"
          className={`h-0 shrink-0 border-t-2 border-dotted border-soft ${after ? 'w-3' : 'w-5'}`}
        />
        <span className="sr-only">to</span>
        <Verbatim>{to}</Verbatim>
      </span>
      {after && <span className="ml-auto whitespace-nowrap text-soft tabular-nums">{after}</span>}
    </span>
  )
}
