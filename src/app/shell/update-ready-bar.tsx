import { useState } from 'react'
import { updateOrReload } from '../browser/update/update-now.ts'
import { Button } from '../components/forms/button.tsx'

/** Above every screen, while a new version waits for the person to finish what they type (R83). */
export default function UpdateReadyBar() {
  const [isBusy, setIsBusy] = useState(false)
  const update = () => {
    setIsBusy(true)
    void updateOrReload()
  }
  return (
    <section
      aria-label="Update ready"
      role="status"
      className="mx-auto flex w-full page-width items-center justify-between gap-3 bg-green-wash px-4 pt-[max(0.25rem,env(safe-area-inset-top))] pb-1 md:px-6"
    >
      <p className="text-sm">
        <strong>Update ready.</strong> It opens automatically when you’re done here.
      </p>
      <Button look="ghost" tight disabled={isBusy} onClick={update}>
        {isBusy ? 'Updating…' : 'Update now'}
      </Button>
    </section>
  )
}
