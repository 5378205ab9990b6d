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

/**
 * Focuses a form's field by its name, or the first of a choice, in the middle of the screen: its error is in view, and no
 * bar covers it. Returns whether there is such a field.
 */
export function focusField(form: HTMLFormElement | null, name: string): boolean {
  const found = form?.elements.namedItem(name)
  const field = found instanceof RadioNodeList ? found[0] : found
  if (!(field instanceof HTMLElement)) return false
  field.scrollIntoView({ block: 'center' })
  field.focus({ preventScroll: true })
  return true
}
