import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { Icon } from '../text/icon.tsx'

type FieldProps = {
  label: string
  hint?: ReactNode
  error?: string
  /** ID of the element that shows the error, where one message is about several fields. */
  errorId?: string
}

const box =
  'min-h-12 w-full rounded-control border-[1.5px] bg-card px-3.5 py-2.5 text-base text-ink placeholder:text-soft'
const edge = (error?: string) => (error ? 'border-red' : 'border-edge')

/** Label above, hint and error below; screen readers read all three with the control. */
function Field(props: FieldProps & { id: string; children: ReactNode }) {
  return (
    <div className="grid content-start gap-1.5">
      <label htmlFor={props.id} className="text-sm font-semibold">
        {props.label}
      </label>
      {props.children}
      {props.hint && (
        <p id={`${props.id}-hint`} className="text-sm text-soft">
          {props.hint}
        </p>
      )}
      {props.error && !props.errorId && (
        <p id={`${props.id}-error`} className="text-sm font-semibold text-red">
          {props.error}
        </p>
      )}
    </div>
  )
}

const described = (id: string, { hint, error, errorId: saidBy }: FieldProps) => ({
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
}: FieldProps & ComponentProps<'input'>) {
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

/** A password, which its owner can look at while typing. */
export function PasswordField(props: FieldProps & ComponentProps<'input'>) {
  const { label, hint, error, ...rest } = props
  const id = useId()
  const [isShown, setShown] = useState(false)
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <div className="relative">
        <input
          {...rest}
          {...described(id, { label, hint, error })}
          id={id}
          type={isShown ? 'text' : 'password'}
          autoCapitalize="none"
          spellCheck={false}
          className={`${box} ${edge(error)} pr-14`}
        />
        <button
          type="button"
          aria-label="Show what is typed"
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
          className="absolute inset-y-0 right-0 grid min-w-12 place-items-center text-green"
        >
          <Icon name={isShown ? 'hide' : 'eye'} />
        </button>
      </div>
    </Field>
  )
}

export function TextAreaField({
  label,
  hint,
  error,
  ...rest
}: FieldProps & ComponentProps<'textarea'>) {
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

/** A native select, which phones show as their own picker. */
export function SelectField({
  label,
  hint,
  error,
  errorId: saidBy,
  children,
  ...rest
}: FieldProps & ComponentProps<'select'>) {
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

/** A field for a ten-digit phone number (R8). */
export const PhoneField = (props: ComponentProps<typeof TextField>) => (
  <TextField type="tel" inputMode="numeric" placeholder="0244123456" {...props} />
)
