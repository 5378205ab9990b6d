import { Brand } from '../components/page/logo.tsx'
import { Kente, Skeleton } from '../components/page/skeleton.tsx'

/** The frame alone, as in index.html, until the database is open and the session loaded. */
export function Opening() {
  return (
    <div className="pt-[env(safe-area-inset-top)]">
      <Kente />
      <div className="mx-auto grid max-w-4xl gap-4 px-4 py-1.5 md:px-6">
        <span className="flex min-h-12 items-center">
          <Brand />
        </span>
        <Skeleton className="h-48 rounded-hero" />
      </div>
    </div>
  )
}
