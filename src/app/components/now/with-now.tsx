import { type ReactNode, Suspense } from 'react'
import { useVisitor } from '../../hooks/use-visitor.ts'
import { lazyPart } from '../page/lazy-part.tsx'

type Props = {
  title?: string
  /** Drawn until it is loaded what is under way: nothing moves when that comes. */
  fallback: ReactNode
  children: ReactNode
}

const Content = ({ children }: Props) => <>{children}</>
const NowCards = lazyPart<Props>(() => import('./now-cards.tsx'), Content)

/** Loads what shows it while there is a network: on a first visit no worker has stored it yet. */
export const preloadNow = NowCards.preload

/** The deliveries under way on this phone, above a screen's content. */
export function WithNow(props: Props) {
  if (!useVisitor().hasLive) return props.children
  return (
    <Suspense fallback={props.fallback}>
      <NowCards {...props} />
    </Suspense>
  )
}
