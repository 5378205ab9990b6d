import type { ReactNode } from 'react'
import { Button } from '../../components/forms/button.tsx'

/**
 * A fact of the account, with the button that opens its form. `button`: what it does, of which the first word is shown.
 * `children`: the fact's values, as `<dd>`.
 */
export function AccountFact(props: {
  label: string
  button: string
  onEdit: () => void
  children: ReactNode
}) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <dl className="grid min-w-[min(100%,7rem)] flex-1 justify-items-start gap-0.5">
        <dt className="text-sm text-soft">{props.label}</dt>
        {props.children}
      </dl>
      <Button look="line" aria-label={props.button} onClick={props.onEdit}>
        {props.button.split(' ')[0]}
      </Button>
    </div>
  )
}
