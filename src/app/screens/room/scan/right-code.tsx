import { useEffect } from 'react'
import { create } from 'zustand'
import { syncStatus } from '#store/queries/queries.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { isUnsent } from '#sync/database/entry.ts'
import { Button } from '../../../components/forms/button.tsx'
import { Icon } from '../../../components/text/icon.tsx'
import { useLive } from '../../../hooks/use-live.ts'
import { FullScreen } from './full-screen.tsx'

/** The delivery whose code this phone has just found right, until the driver has seen it. */
const useProved = create<{ id?: string }>(() => ({}))

export const showProved = (id: string): void => useProved.setState({ id })
const hideProved = (): void => useProved.setState({ id: undefined })

/** Says over the whole screen that the recipient's code was right (R110), until the driver has read it. */
export function RightCode({ row }: { row: DeliveryRow }) {
  const id = useProved((state) => state.id)
  return id === row.ID ? <Said row={row} /> : null
}

function Said({ row }: { row: DeliveryRow }) {
  const status = useLive(syncStatus)
  const mark = row.marks.find(({ op }) => op === 'completeDelivery')
  const isRefused = mark?.state === 'refused'
  // What the server says against it stands at the field of the digits.
  useEffect(() => {
    if (isRefused) hideProved()
    return hideProved
  }, [isRefused])
  const waits = mark !== undefined && isUnsent(mark) && status?.reachable === false
  return (
    <FullScreen title="Right code. Hand over." isTitleHidden tone="green" onClose={hideProved}>
      <div role="status" className="my-auto grid justify-items-center gap-4 text-center">
        <span className="grid size-28 place-items-center rounded-full bg-white text-green-deep">
          <Icon name="check" className="size-20" />
        </span>
        <strong className="text-4xl leading-tight">Right code. Hand over.</strong>
        <p className="text-lg">
          {waits ? "Saved on this phone. Sends when you're online." : row.view.itemDescription}
        </p>
      </div>
      <Button look="gold" className="min-h-14 w-full text-lg" onClick={hideProved}>
        Done
      </Button>
    </FullScreen>
  )
}
