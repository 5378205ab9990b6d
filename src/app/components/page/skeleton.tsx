import { contentHtml, type FrameName, frameHtml, frameNameOf } from './frames.ts'

export function Kente({ className = '' }: { className?: string }) {
  return <div aria-hidden="true" className={`kente ${className}`} />
}

/** A placeholder while something loads. */
export function Skeleton({ className = 'h-24' }: { className?: string }) {
  return <div aria-hidden="true" className={`skeleton w-full ${className}`} />
}

type LoadingProps = {
  /** For screen readers. */
  label?: string
  rows?: number
  /** The screen below whose heading this stands: it draws what the screen's frame has there. */
  of?: FrameName
}

/** Placeholders while a list or a screen's content loads. */
export function Loading({ label = 'Loading…', rows = 3, of }: LoadingProps) {
  return (
    <div className="grid gap-3" role="status">
      <span className="sr-only">{label}</span>
      {of ? (
        <Drawn html={contentHtml(of, false)} />
      ) : (
        Array.from({ length: rows }, (_, row) => row).map((row) => (
          <Skeleton key={row} className="h-28 rounded-card" />
        ))
      )}
    </div>
  )
}

const currentPath = () => location.pathname + location.search

/** The whole frame of the screen at the current path, as the page draws it before any script has come. */
export const WholeFrame = () => <Drawn html={frameHtml(currentPath())} />

/** While a screen's script loads: its content below the bars, or all of it where it has no bars. */
export function ScreenLoading() {
  const name = frameNameOf(currentPath())
  const isWhole = name === 'delivery' || name === 'admin'
  return (
    <div role="status">
      <span className="sr-only">Loading…</span>
      {isWhole ? <WholeFrame /> : <Drawn html={contentHtml(name)} />}
    </div>
  )
}

function Drawn({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of frames.ts.
  return <div aria-hidden="true" dangerouslySetInnerHTML={{ __html: html }} />
}
