import { type FormEvent, useRef, useState } from 'react'
import { afterClick } from '../browser/after-click.ts'

type Problems<F extends string> = Partial<Record<F, string | undefined>>

/**
 * A small form: its values, and what is wrong with each once the person has left it or has
 * submitted. `check` is pure and asked on every render.
 */
export function useForm<F extends string>(
  start: Record<F, string>,
  check: (values: Record<F, string>) => Problems<F>,
) {
  const [values, setValues] = useState(start)
  const [touched, setTouched] = useState<ReadonlySet<F>>(new Set())
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const problems = check(values)
  const fields = Object.keys(start) as F[]
  const wrong = fields.filter((field) => problems[field])

  const set = (field: F, value: string) => setValues((typed) => ({ ...typed, [field]: value }))

  /** Props of one field; `clean` tidies what is typed. */
  const bind = (field: F, clean: (typed: string) => string = (typed) => typed) => ({
    name: field,
    value: values[field],
    error: touched.has(field) ? problems[field] : undefined,
    onBlur: () => afterClick(() => setTouched((seen) => new Set([...seen, field]))),
    onChange: (event: { target: { value: string } }) => set(field, clean(event.target.value)),
  })

  /** Runs `work` when nothing is wrong; else shows everything that is and goes to the first. */
  const submit =
    (work: () => Promise<unknown>, onWrong?: (problem: string) => void) =>
    async (event: FormEvent) => {
      event.preventDefault()
      if (busy) return
      setTouched(new Set(fields))
      const first = wrong[0]
      if (first !== undefined) {
        const field = form.current?.elements.namedItem(first)
        if (field instanceof HTMLElement) field.focus()
        return onWrong?.(problems[first] ?? '')
      }
      setBusy(true)
      await work()
      setBusy(false)
    }

  return { values, set, bind, submit, busy, form }
}
