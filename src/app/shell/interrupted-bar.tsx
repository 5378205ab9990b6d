import { Button } from '../components/forms/button.tsx'

/** Above every screen, once the database has been lost for 15 seconds (S84). */
export default function InterruptedBar() {
  return (
    <section
      role="alert"
      className="sticky top-0 z-40 flex flex-wrap items-center justify-between gap-x-3 bg-red-wash px-4 pt-[max(0.25rem,env(safe-area-inset-top))] pb-1 md:px-6"
    >
      <strong className="text-sm">Storage was interrupted.</strong>
      <Button look="line" tight icon="retry" onClick={() => location.reload()}>
        Reload
      </Button>
    </section>
  )
}
