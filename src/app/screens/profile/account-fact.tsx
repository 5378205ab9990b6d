import type { ReactNode } from 'react'
import { Button } from '../../components/forms/button.tsx'

/** A fact of the account, with the button that opens its form. `children`: its values, as `<dd>`. */
export function AccountFact(props: {
  label: string
  button: string
  onEdit: () => void
  children: ReactNode
}) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-3">
      <dl className="grid min-w-0 justify-items-start gap-0.5">
        <dt className="text-sm text-soft">{props.label}</dt>
        {props.children}
      </dl>
      <Button look="line" onClick={props.onEdit}>
        {props.button}
      </Button>
    </div>
  )
}
