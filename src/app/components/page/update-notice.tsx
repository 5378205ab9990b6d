import { type ReactNode, useState } from 'react'
import { product } from '#domain/product.ts'
import { unreadableRows } from '#store/queries/pulls.ts'
import { type ListRef, listKey } from '#sync/lists/list-ref.ts'
import { updateNow } from '../../browser/update/update-now.ts'
import { useOwn } from '../../hooks/use-live.ts'
import { Button } from '../forms/button.tsx'
import { Notice } from '../text/notice.tsx'

/** Says what only a newer version of the app can do, and fetches it (S48). */
export function UpdateNotice({ title, children }: { title: string; children: ReactNode }) {
  const [state, setState] = useState<'idle' | 'busy' | 'none' | 'failed'>('idle')
  const update = async () => {
    setState('busy')
    setState(await updateNow().then(next, () => 'failed' as const))
  }
  return (
    <Notice title={title}>
      <p className="text-sm">{children}</p>
      <div className="flex flex-wrap items-center gap-3">
        <Button look="edge" disabled={state === 'busy'} onClick={update}>
          {state === 'busy' ? 'Updating…' : 'Update'}
        </Button>
        <span role="status" className="text-sm">
          {state === 'none' && 'There is no newer version yet. Try again later.'}
          {state === 'failed' && 'The update could not be loaded. It needs a connection.'}
        </span>
      </div>
    </Notice>
  )
}

/** While a new version takes over, the page is about to be reloaded. */
const next = (isUpdating: boolean) => (isUpdating ? ('busy' as const) : ('none' as const))

/**
 * Says how many rows of a list only a newer version of the app can show (S48). `what`: one of them, and several.
 * `children` stand in its place when there are none: "No jobs yet" would be false beside them.
 */
export function UnreadableRows(props: {
  list: ListRef
  what: [string, string]
  children?: ReactNode
}) {
  const { list, what } = props
  const key = listKey(list)
  const count = useOwn(unreadableRows, key)
  if (count === undefined) return null
  if (count === 0) return props.children
  return (
    <UpdateNotice title="Update to see this">
      {count} {what[count === 1 ? 0 : 1]} {count === 1 ? 'needs' : 'need'} a newer version of{' '}
      {product}.
    </UpdateNotice>
  )
}
