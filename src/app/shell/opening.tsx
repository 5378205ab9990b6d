import { useLayoutEffect } from 'react'
import { endFirstPage, isFirstPageShown } from '../browser/first-page.ts'
import { openFirstScreen } from '../browser/first-screen.ts'
import { WholeFrame } from '../components/page/skeleton.tsx'

/** What index.html draws, until the database is open and the session loaded. */
export const Opening = () => (isFirstPageShown() ? null : <WholeFrame />)

/** Stands in every screen that is drawn in place of it: both are never shown together. */
export function Opened() {
  useLayoutEffect(() => {
    endFirstPage()
    openFirstScreen()
  }, [])
  return null
}
