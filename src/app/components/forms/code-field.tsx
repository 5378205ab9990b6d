import { type ComponentProps, useEffect, useRef } from 'react'
import { smsCodeFor } from '../../browser/device/sms-code.ts'
import { typeInto } from '../../browser/type-into.ts'
import { TextField } from './fields.tsx'

type Props = Omit<ComponentProps<typeof TextField>, 'className' | 'ref'> & {
  value: string
  /** The form has nothing else to fill in: the sixth digit sends it. */
  submits?: boolean
}

/**
 * A field for the six digits of an SMS code (R62). Where the browser can read the SMS that was sent for this site
 * (WebOTP), it fills itself once the person allows it; iPhones offer the code above the keyboard.
 */
export function CodeField({ submits, ...props }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const { value } = props
  useEffect(() => {
    if (submits && value.length === 6) input.current?.form?.requestSubmit()
  }, [submits, value])
  useEffect(() => {
    const stop = new AbortController()
    void smsCodeFor(stop.signal).then((code) => {
      if (code && input.current?.value === '') typeInto(input.current, code)
    })
    return () => stop.abort()
  }, [])
  return (
    <TextField
      ref={input}
      inputMode="numeric"
      autoComplete="one-time-code"
      // What is pasted replaces all, and no `maxLength` cuts it before the code is found in it.
      onPaste={({ currentTarget }) => currentTarget.select()}
      className="text-center font-mono text-2xl font-extrabold tracking-[0.3em]"
      {...props}
    />
  )
}
