import { outboxSummary } from '#store/queries/queries.ts'
import { UpdateNotice } from '../components/page/update-notice.tsx'
import { useOwn } from '../hooks/use-live.ts'

/** Above every screen, while the server takes only newer versions of the app (S48). */
export default function UpdateBar() {
  const unsent = useOwn(outboxSummary)?.unsent ?? 0
  return (
    <section
      aria-label="Update"
      className="mx-auto w-full page-width px-4 pt-[max(0.5rem,env(safe-area-inset-top))] pb-2 md:px-6"
    >
      <UpdateNotice title="Update to continue">
        This version is too old for the service. What you saved stays on this phone
        {unsent > 0 &&
          `, and ${unsent} ${unsent === 1 ? 'item goes' : 'items go'} after the update`}
        .
      </UpdateNotice>
    </section>
  )
}
