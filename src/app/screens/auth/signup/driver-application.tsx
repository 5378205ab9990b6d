import { useEffect, useState } from 'react'
import { jsonItem } from '../../../browser/json-storage.ts'
import { blockReload } from '../../../browser/update/reload-guard.ts'
import { Button } from '../../../components/forms/button.tsx'
import { useForm } from '../../../hooks/forms/use-form.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { useVisitor } from '../../../hooks/use-visitor.ts'
import { paths } from '../../../paths.ts'
import { toast } from '../../../toasts.ts'
import { DriverIdFields } from './driver-id-fields.tsx'
import { emptyId, idProblems, idTypeOf } from './signup-fields.ts'

/** Becoming a driver with the account that is logged in, for a sender or a driver who was rejected (R6). */
export function DriverApplication({ title, text }: { title: string; text: string }) {
  const typed = useTyped()
  const [isOpen, setOpen] = useState(typed.get() !== null)
  return (
    <section className="card grid gap-4" aria-labelledby="application">
      <div className="grid gap-1">
        <h2 id="application">{title}</h2>
        <p className="text-sm text-soft">{text}</p>
      </div>
      {isOpen ? (
        <ApplicationForm typed={typed} onClose={() => setOpen(false)} />
      ) : (
        <Button look="line" onClick={() => setOpen(true)}>
          {title}
        </Button>
      )}
    </section>
  )
}

/** In session storage, because a phone low on memory may kill the page while the camera is open. */
function useTyped() {
  const { account } = useVisitor()
  return jsonItem(() => sessionStorage, `typed:${account}:application`)
}

type FormProps = { typed: ReturnType<typeof useTyped>; onClose: () => void }

function ApplicationForm({ typed, onClose }: FormProps) {
  const { session } = useSoma()
  const form = useForm({ ...emptyId, ...(typed.get() as Partial<typeof emptyId>) }, idProblems)
  useEffect(() => typed.set(form.values), [typed, form.values])
  const { values, submit, submitted, failure, busy } = form
  const [isUploading, setIsUploading] = useState(false)
  const apply = () =>
    submitted('Not sent', async () => {
      await blockReload(session.applyAsDriver({ ...values, idType: idTypeOf(values.idType) }))
      typed.remove()
      toast({
        title: 'Application sent',
        text: 'Reviews usually take 24-48 hours. You can still send packages.',
        action: { label: 'Status', to: paths.driverPending },
      })
    })
  const close = () => {
    typed.remove()
    onClose()
  }
  return (
    <form
      ref={form.form}
      noValidate
      aria-label="Driver application"
      onSubmit={submit(apply)}
      className="grid gap-4"
    >
      <DriverIdFields form={form} onUploading={setIsUploading} />
      {failure && (
        <p className="rounded-control bg-red-wash p-3 font-semibold text-red-strong">{failure}</p>
      )}
      <div className="flex flex-wrap gap-2 *:flex-1">
        <Button type="submit" disabled={busy || isUploading}>
          {busy ? 'Sending…' : isUploading ? 'Uploading your photo…' : 'Apply'}
        </Button>
        <Button look="line" onClick={close}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
