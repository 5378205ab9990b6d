import { type ComponentProps, type ReactNode, useId } from 'react'

type About = {
  label: string
  hint?: ReactNode
  error?: string
  /** Id of the element that says the error, when one sentence speaks of several fields. */
  errorId?: string
}

const box =
  'min-h-12 w-full rounded-control border-[1.5px] bg-card px-3.5 py-2.5 text-base text-ink placeholder:text-soft'
const edge = (error?: string) => (error ? 'border-clay' : 'border-edge')

/** Label above, hint and error below, both tied to the control for whoever listens. */
function Field(about: About & { id: string; children: ReactNode }) {
  return (
    <div className="grid content-start gap-1.5">
      <label htmlFor={about.id} className="text-sm font-semibold">
        {about.label}
      </label>
      {about.children}
      {about.hint && (
        <p id={`${about.id}-hint`} className="text-sm text-soft">
          {about.hint}
        </p>
      )}
      {about.error && !about.errorId && (
        <p id={`${about.id}-error`} className="text-sm font-semibold text-clay">
          {about.error}
        </p>
      )}
    </div>
  )
}

const described = (id: string, { hint, error, errorId: saidBy }: About) => ({
  'aria-invalid': error ? true : undefined,
  'aria-describedby':
    [hint ? `${id}-hint` : '', error ? (saidBy ?? `${id}-error`) : ''].join(' ').trim() ||
    undefined,
})

export function TextField({
  label,
  hint,
  error,
  className = '',
  ...rest
}: About & ComponentProps<'input'>) {
  const own = useId()
  const id = rest.id ?? own
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <input
        {...rest}
        {...described(id, { label, hint, error })}
        id={id}
        className={`${box} ${edge(error)} ${className}`}
      />
    </Field>
  )
}

export function TextAreaField({ label, hint, error, ...rest }: About & ComponentProps<'textarea'>) {
  const own = useId()
  const id = rest.id ?? own
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <textarea
        rows={4}
        {...rest}
        {...described(id, { label, hint, error })}
        id={id}
        className={`${box} ${edge(error)}`}
      />
    </Field>
  )
}

/** The phone's own picker: on a small screen nothing home-made beats it. */
export function SelectField({
  label,
  hint,
  error,
  errorId: saidBy,
  children,
  ...rest
}: About & ComponentProps<'select'>) {
  const own = useId()
  const id = rest.id ?? own
  return (
    <Field id={id} label={label} hint={hint} error={error} errorId={saidBy}>
      <select
        {...rest}
        {...described(id, { label, hint, error, errorId: saidBy })}
        id={id}
        className={`${box} ${edge(error)}`}
      >
        {children}
      </select>
    </Field>
  )
}

/** Ten digits, on the number pad, offered from the phone's own contact. */
export const phoneInputProps = {
  type: 'tel',
  inputMode: 'numeric',
  placeholder: '0244123456',
} as const

/** For the six digits of an SMS. */
export const CodeField = (about: Omit<ComponentProps<typeof TextField>, 'className'>) => (
  <TextField
    inputMode="numeric"
    autoComplete="one-time-code"
    maxLength={6}
    className="text-center font-mono text-2xl font-extrabold tracking-[0.3em]"
    {...about}
  />
)
