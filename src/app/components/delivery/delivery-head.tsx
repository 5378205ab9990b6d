import type { ReactNode } from 'react'
import { shortPrice } from '#domain/money.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { handlingText } from '../../texts/item-texts.ts'
import { DeliveryPhoto } from '../photo/photo.tsx'
import { RouteLine } from './route-line.tsx'
import { StatusTag } from './status.tsx'

type Props = {
  row: DeliveryRow
  /** In place of the status. */
  state?: ReactNode
  /** After the status. */
  children?: ReactNode
}

/**
 * What every list shows of a delivery: photo, item, size and "Fragile" (R160), offer, route and status. A long name
 * is cut before its size is. With large text the photo, the size and the offer get lines of their own, so that no text
 * shrinks to nothing.
 */
export function DeliveryHead(props: Props) {
  const { row, state = <StatusTag row={row} />, children } = props
  const { itemDescription, pickupZone, dropoffZone, offer } = row.view
  const handling = handlingText(row.view)
  return (
    <div className="flex flex-wrap items-start gap-x-2.5 gap-y-1 leading-tight">
      <DeliveryPhoto row={row} className="size-14" alt="" />
      <div className="grid min-w-[min(100%,9rem)] flex-1 gap-0.5">
        <div className="flex flex-wrap items-baseline gap-x-2">
          <span className="flex min-w-[min(100%,9rem)] flex-1 flex-wrap items-baseline gap-x-1.5">
            <strong className="line-clamp-1 max-w-max grow basis-[6rem] [overflow-wrap:anywhere]">
              {itemDescription}
            </strong>
            {handling && <span className="text-sm text-soft">{handling}</span>}
          </span>
          <strong className="font-extrabold tabular-nums">{shortPrice(offer)}</strong>
        </div>
        <RouteLine from={pickupZone} to={dropoffZone} />
        <div className="flex flex-wrap items-center gap-x-1.5 gap-y-1 text-sm text-soft">
          {state}
          {children}
        </div>
      </div>
    </div>
  )
}
