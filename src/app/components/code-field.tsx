import type { ComponentProps } from 'react'
import { TextField } from './fields.tsx'

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
