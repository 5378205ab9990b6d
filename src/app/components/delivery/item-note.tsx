import type { ItemDetails } from '#domain/deliveries/item.ts'
import { handlingText } from '../../texts/item-texts.ts'

/** What was said of the item beside its name (R160). Nothing where nothing was. */
export function ItemNote({ of }: { of: ItemDetails }) {
  const handling = handlingText(of)
  if (!handling && !of.note) return null
  return (
    <div className="grid w-full gap-0.5 [overflow-wrap:anywhere]">
      {handling && <strong className="text-sm">{handling}</strong>}
      {of.note && <p dir="auto">{of.note}</p>}
    </div>
  )
}
