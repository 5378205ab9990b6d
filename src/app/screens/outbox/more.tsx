import { type ReactNode, useId, useState } from 'react'
import { Button } from '../../components/forms/button.tsx'

/** A button that shows what is done more rarely, below it. */
export function More({ about, children }: { about: string; children: ReactNode }) {
  const [open, setOpen] = useState(false)
  const id = useId()
  return (
    <>
      <Button
        look="ghost"
        aria-expanded={open}
        aria-controls={id}
        aria-label={`More for ${about}`}
        onClick={() => setOpen(!open)}
      >
        {open ? 'Less' : 'More'}
      </Button>
      <div id={id} className="flex w-full flex-wrap gap-2" hidden={!open}>
        {open && children}
      </div>
    </>
  )
}
