import { useState } from 'react'
import { afterClick } from '../../browser/after-click.ts'

/** The fields of a form that the person has left or submitted: only their problems are shown. */
export function useTouchedFields<F extends string>() {
  const [touched, setTouched] = useState<ReadonlySet<F>>(new Set())
  const touch = (...fields: readonly F[]) => setTouched((before) => new Set([...before, ...fields]))
  return {
    isTouched: (field: F): boolean => touched.has(field),
    touch,
    /** A blur handler's work: a message that appears must not move the button being pressed. */
    touchAfterClick: (field: F): void => afterClick(() => touch(field)),
  }
}

/** Focuses a form's field by its name; returns whether there is such a field. */
export function focusField(form: HTMLFormElement | null, name: string): boolean {
  const field = form?.elements.namedItem(name)
  if (!(field instanceof HTMLElement)) return false
  field.focus()
  return true
}
