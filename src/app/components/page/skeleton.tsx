/* Apart from the other pieces, which a visitor's first page does without. */

export function Kente({ className = '' }: { className?: string }) {
  return <div aria-hidden="true" className={`kente ${className}`} />
}

/** Stands where something is not known yet. */
export function Skeleton({ className = 'h-24' }: { className?: string }) {
  return <div aria-hidden="true" className={`skeleton w-full ${className}`} />
}

/** A list not known yet; `label` is what a screen reader hears meanwhile. */
export function Loading({ label = 'Loading…', rows = 3 }: { label?: string; rows?: number }) {
  return (
    <div className="grid gap-3" role="status">
      <span className="sr-only">{label}</span>
      {Array.from({ length: rows }, (_, row) => row).map((row) => (
        <Skeleton key={row} className="h-28 rounded-card" />
      ))}
    </div>
  )
}
