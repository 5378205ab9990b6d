import { useLayoutEffect } from 'react'
import { endFirstPage, isFirstPageThere } from '../browser/first-page.ts'
import { openFirstScreen } from '../browser/first-screen.ts'
import { PageSkeleton } from '../components/page/skeleton.tsx'

/** Until the database is open and the session loaded: what index.html has drawn stands. */
export const Opening = () => (isFirstPageThere() ? null : <PageSkeleton />)

/** Stands in every screen that is drawn in place of it: both are never shown together. */
export function Opened() {
  useLayoutEffect(() => {
    endFirstPage()
    openFirstScreen()
  }, [])
  return null
}
