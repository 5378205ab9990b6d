export function Kente({ className = '' }: { className?: string }) {
  return <div aria-hidden="true" className={`kente ${className}`} />
}

/** A placeholder while something loads. */
export function Skeleton({ className = 'h-24' }: { className?: string }) {
  return <div aria-hidden="true" className={`skeleton w-full ${className}`} />
}

/** Placeholders of a list while it loads; `label` is for screen readers. */
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
