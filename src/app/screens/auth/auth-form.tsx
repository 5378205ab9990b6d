import { type FormEvent, type ReactNode, type RefObject, useEffect } from 'react'
import { Button } from '../../components/forms/button.tsx'
import { Link } from '../../components/forms/link.tsx'
import { paths } from '../../paths.ts'

/** One step of the authentication: its fields, the submit button, and links below. */
export function AuthForm(props: {
  formRef: RefObject<HTMLFormElement | null>
  onSubmit: (event: FormEvent) => unknown
  isBusy: boolean
  submitText: string
  /** On the button while the server is asked. */
  busyText: string
  /** Of the submit button. */
  look?: 'red'
  className?: string
  /** Why it failed the last time; a toast has announced it. */
  failure?: string
  children: ReactNode
  footer: ReactNode
}) {
  // Each step begins at its top, however far the one before was scrolled.
  useEffect(() => {
    window.scrollTo(0, 0)
  }, [])
  return (
    <form
      ref={props.formRef}
      noValidate
      onSubmit={props.onSubmit}
      className={props.className ?? 'card grid gap-4 sm:p-6'}
    >
      {props.children}
      {props.failure && (
        <p className="rounded-control bg-red-wash p-3 font-semibold text-red-strong">
          {props.failure}
        </p>
      )}
      <Button type="submit" look={props.look} disabled={props.isBusy}>
        {props.isBusy ? props.busyText : props.submitText}
      </Button>
      {props.footer}
    </form>
  )
}

/** A link to another step, as high as a button. */
export function AuthLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className="grid min-h-12 place-items-center text-center font-semibold text-green">
      {children}
    </Link>
  )
}

export const BackToLogin = () => <AuthLink to={paths.auth}>Back to Login</AuthLink>
