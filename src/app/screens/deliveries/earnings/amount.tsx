import type { ReactNode } from 'react'
import { fullPrice, toCedis } from '#domain/money.ts'

/** A named figure of a `<dl>`. */
export function Figure(props: { name: string; isHighlighted?: boolean; children: ReactNode }) {
  return (
    <div className="grid content-start gap-0.5">
      <dt className="text-sm text-soft">{props.name}</dt>
      <dd
        className={`text-xl font-extrabold tracking-tight tabular-nums ${props.isHighlighted ? 'text-green' : ''}`}
      >
        {props.children}
      </dd>
    </div>
  )
}

/** A named amount of a `<dl>`. */
export const Amount = (props: { name: string; pesewas: number; isHighlighted?: boolean }) => (
  <Figure name={props.name} isHighlighted={props.isHighlighted}>
    {fullPrice(toCedis(props.pesewas))}
  </Figure>
)
