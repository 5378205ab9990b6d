import type { FormEvent, ReactNode, RefObject } from 'react'
import { Link } from 'react-router-dom'
import { Button } from '../../components/forms/button.tsx'
import { paths } from '../../paths.ts'

/** One step of the authentication: its fields, the submit button, and links below. */
export function AuthForm(props: {
  formRef: RefObject<HTMLFormElement | null>
  onSubmit: (event: FormEvent) => unknown
  isBusy: boolean
  submitText: string
  /** On the button while the server is asked. */
  busyText: string
  className?: string
  children: ReactNode
  footer: ReactNode
}) {
  return (
    <form
      ref={props.formRef}
      noValidate
      onSubmit={props.onSubmit}
      className={props.className ?? 'card grid gap-4 sm:p-6'}
    >
      {props.children}
      <Button type="submit" disabled={props.isBusy}>
        {props.isBusy ? props.busyText : props.submitText}
      </Button>
      {props.footer}
    </form>
  )
}

/** A link to another step, as high as a button. */
export function AuthLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className="grid min-h-12 place-items-center font-semibold text-green">
      {children}
    </Link>
  )
}

export const BackToLogin = () => <AuthLink to={paths.auth}>Back to Login</AuthLink>
