import { type ChangeEvent, type FormEvent, useRef, useState } from 'react'
import { attempt } from '../../browser/attempt.ts'
import { cleanInput } from './clean-input.ts'
import { focusField, useTouchedFields } from './use-touched-fields.ts'

type Problems<F extends string> = Partial<Record<F, string | undefined>>

/**
 * The state of a small form. `check` returns a problem for each wrong field; it is pure and runs on every
 * render. A problem is shown once its field was left or the form was submitted.
 */
export function useForm<F extends string>(
  start: Record<F, string>,
  check: (values: Record<F, string>) => Problems<F>,
) {
  const [values, setValues] = useState(start)
  const { isTouched, touch, touchAfterClick } = useTouchedFields<F>()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const form = useRef<HTMLFormElement>(null)
  const problems = check(values)
  const fields = Object.keys(start) as F[]
  const wrong = fields.filter((field) => problems[field])

  const set = (field: F, value: string) => {
    setFailure(undefined)
    setValues((typed) => ({ ...typed, [field]: value }))
  }

  /** Props of one field; `clean` normalises what is typed. */
  const bind = (field: F, clean?: (typed: string) => string) => ({
    // Not its own type: a part of the form may bind fewer fields.
    name: `${field}`,
    value: values[field],
    error: isTouched(field) ? problems[field] : undefined,
    onBlur: () => touchAfterClick(field),
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLSelectElement>) =>
      set(field, clean && 'selectionEnd' in target ? cleanInput(target, clean) : target.value),
  })

  /**
   * A submit handler: runs `work` when there is no problem, else shows all problems and focuses the first
   * wrong field.
   */
  const submit = (work: () => Promise<unknown>) => async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    touch(...fields)
    const first = wrong[0]
    if (first !== undefined) return void focusField(form.current, first)
    setFailure(undefined)
    setBusy(true)
    await work()
    setBusy(false)
  }

  /** Runs what was submitted; why it failed stays below the fields until something is typed. */
  const submitted = (title: string, work: () => unknown) =>
    attempt(title, work, undefined, setFailure)

  return { values, set, bind, submit, submitted, failure, busy, form }
}
