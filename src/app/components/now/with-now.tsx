import { type ReactNode, Suspense } from 'react'
import { hasLiveDeliveries } from '#store/queries/queries.ts'
import { useLive } from '../../hooks/use-live.ts'
import { lazyPart } from '../page/lazy-part.tsx'

type Props = {
  title?: string
  /** Drawn until it is known what is under way: nothing moves when that comes. */
  fallback: ReactNode
  children: ReactNode
}

const Content = ({ children }: Props) => <>{children}</>
const NowCards = lazyPart<Props>(() => import('./now-cards.tsx'), Content)

/** What is under way on this phone, at the head of a screen's content. */
export function WithNow(props: Props) {
  const isNeeded = useLive(hasLiveDeliveries)
  if (isNeeded === undefined) return props.fallback
  if (!isNeeded) return props.children
  return (
    <Suspense fallback={props.fallback}>
      <NowCards {...props} />
    </Suspense>
  )
}
