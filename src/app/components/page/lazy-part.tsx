import { type ComponentType, lazy, useEffect, useState } from 'react'
import { note } from '#sync/database/device/diagnostics.ts'
import { Button } from '../forms/button.tsx'

type Loaded<P> = { default: ComponentType<P> }
type FallbackProps = { onRetry: () => void }

/**
 * Milliseconds from one attempt to load a part to the next: at first, doubled each time, and at most. The first
 * attempt after the browser has said that it is online often fails still.
 */
const firstWait = 1_000
const longestWait = 30_000

/** The module that could not be loaded, where the browser names it. */
const addressIn = (error: unknown) => /https?:\/\/[^\s?]+\.js/.exec(String(error))?.[0]

export type LazyPart<P> = ComponentType<P> & {
  /** Loads it before it is drawn: then nothing stands in its place first. Resolves also where that failed. */
  preload: () => Promise<unknown>
}

/**
 * A module's default export, loaded when it is first drawn. A failed load (a page without a worker that went
 * offline) is noted in the diagnostics and draws `Fallback`. It is tried again when the component is mounted
 * the next time, when the browser is back online, and later and later, at least every 30 seconds.
 */
export function lazyPart<P extends object>(
  load: () => Promise<Loaded<P>>,
  Fallback: ComponentType<P & FallbackProps> = LoadFailed,
): LazyPart<P> {
  let loaded: Loaded<P> | undefined
  let failed: string | undefined
  let tries = 0
  const tryToLoad = async (): Promise<Loaded<P> | undefined> => {
    try {
      // Chromium remembers that an address could not be imported: it is never asked for again.
      loaded = await (failed ? import(/* @vite-ignore */ `${failed}?try=${++tries}`) : load())
      return loaded
    } catch (error) {
      failed ??= addressIn(error)
      note('A part of the app could not be loaded', { error })
    }
  }
  function Retrying(props: P) {
    const [part, setPart] = useState<Loaded<P>>()
    const retry = async () => setPart(await tryToLoad())
    // biome-ignore lint/correctness/useExhaustiveDependencies: starts when mounted, stops once loaded.
    useEffect(() => {
      if (part) return
      let wait = firstWait
      let timer: ReturnType<typeof setTimeout> | undefined
      let isOver = false
      const after = (ms: number) => {
        clearTimeout(timer)
        if (!isOver) timer = setTimeout(next, ms)
      }
      const next = async () => {
        // A load that hangs is not waited for.
        after(longestWait)
        await retry()
        after(wait)
        wait = Math.min(wait * 2, longestWait)
      }
      const atOnce = () => {
        wait = firstWait
        void next()
      }
      atOnce()
      addEventListener('online', atOnce)
      return () => {
        isOver = true
        clearTimeout(timer)
        removeEventListener('online', atOnce)
      }
    }, [part])
    return part ? <part.default {...props} /> : <Fallback {...props} onRetry={retry} />
  }
  const Lazy = lazy(async () => (await tryToLoad()) ?? { default: Retrying })
  function Part(props: P) {
    // Fixed at mount: another component type would be mounted anew.
    const [Loaded] = useState<ComponentType<P>>(() => loaded?.default ?? Lazy)
    return <Loaded {...props} />
  }
  return Object.assign(Part, { preload: tryToLoad })
}

function LoadFailed({ onRetry }: FallbackProps) {
  return (
    <div role="alert" className="card m-4 grid justify-items-start gap-3">
      <strong>Temporarily unavailable</strong>
      <Button look="line" icon="retry" onClick={onRetry}>
        Retry
      </Button>
    </div>
  )
}
