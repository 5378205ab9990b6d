import { useEffect, useId, useRef, useState } from 'react'
import { codeIn } from '#domain/digits.ts'

type Props = {
  length: number
  label?: string
  hint?: string
  value: string
  error: string | undefined
  /** Whether it is what the person came for; an error brings the focus back as well. */
  isFocused: boolean
  onChange: (digits: string) => void
}

/**
 * A code in large boxes: one field over them, so that it can be pasted, and read as one by a screen reader.
 * The error stands below it.
 */
export function CodeBoxes({
  length,
  label = 'Delivery code',
  hint = 'The recipient has it. Hand over once it is confirmed.',
  value,
  error,
  isFocused,
  onChange,
}: Props) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [hasFocus, setHasFocus] = useState(false)
  useEffect(() => {
    if (isFocused || error) field.current?.focus()
  }, [isFocused, error])
  const edge = (at: number) => {
    if (error) return 'border-red'
    return hasFocus && at === Math.min(value.length, length - 1) ? 'border-green' : 'border-edge'
  }
  return (
    <div className="grid gap-2">
      <label htmlFor={id} className="text-sm font-semibold">
        {label}
      </label>
      <div className="relative">
        <div aria-hidden="true" className="grid grid-cols-5 gap-2">
          {Array.from({ length }, (_, at) => at).map((at) => (
            <span
              key={at}
              className={`grid h-16 place-items-center rounded-control border-2 bg-card font-mono text-3xl font-extrabold ${edge(at)}`}
            >
              {value[at] ?? ''}
            </span>
          ))}
        </div>
        <input
          ref={field}
          id={id}
          inputMode="numeric"
          autoComplete="off"
          value={value}
          aria-invalid={error !== undefined}
          aria-describedby={`${id}-hint${error ? ` ${id}-error` : ''}`}
          onFocus={() => setHasFocus(true)}
          onBlur={() => setHasFocus(false)}
          // What is pasted replaces all, and no `maxLength` cuts it before the code is found in it.
          onPaste={({ currentTarget }) => currentTarget.select()}
          onChange={({ target }) => onChange(codeIn(target.value, length))}
          className="absolute inset-0 w-full cursor-pointer text-base opacity-0"
        />
      </div>
      <p id={`${id}-error`} role="alert" className="font-semibold text-red empty:hidden">
        {error}
      </p>
      <p id={`${id}-hint`} className="text-sm text-soft">
        {hint}
      </p>
    </div>
  )
}
