import { type ComponentType, lazy, useEffect, useState } from 'react'
import { note } from '#store/database/device/diagnostics.ts'
import { Button } from '../forms/button.tsx'

type Loaded<P> = { default: ComponentType<P> }
type FallbackProps = { onRetry: () => void }

/** Milliseconds between two attempts to load a part that failed to load. */
const retryInterval = 30_000

/**
 * Chromium keeps a failed import: the same address fails again, without a request, until the page is loaded
 * anew. Its error ends with that address.
 */
const failedImport = /dynamically imported module: (\S+)$/

/** Loads what failed to load from an address that Chromium has not tried; undefined where that fails too. */
async function loadAnew<P>(url: string | undefined): Promise<Loaded<P> | undefined> {
  if (!url) return undefined
  const other = `${url}?${Date.now()}`
  return import(/* @vite-ignore */ other).catch(() => undefined)
}

/**
 * A component that is loaded when it is first drawn. A failed load (a page without a worker that went
 * offline) is noted in the diagnostics and draws `Fallback`. It is tried again when the component is mounted
 * the next time, when the browser is back online, and every 30 seconds.
 */
export function lazyPart<P extends object>(
  load: () => Promise<Loaded<P>>,
  Fallback: ComponentType<P & FallbackProps> = LoadFailed,
): ComponentType<P> {
  let failed: string | undefined
  let anew: Loaded<P> | undefined
  const tryToLoad = async () => {
    anew ??= await loadAnew(failed)
    if (anew) return anew
    return load().catch((error: unknown) => {
      failed = failedImport.exec(String(error))?.[1]
      note('A part of the app could not be loaded', { error })
    })
  }
  function Retrying(props: P) {
    const [part, setPart] = useState<Loaded<P>>()
    const retry = async () => setPart((await tryToLoad()) ?? undefined)
    // biome-ignore lint/correctness/useExhaustiveDependencies: starts when mounted, stops once loaded.
    useEffect(() => {
      if (part) return
      void retry()
      const timer = setInterval(retry, retryInterval)
      addEventListener('online', retry)
      return () => {
        clearInterval(timer)
        removeEventListener('online', retry)
      }
    }, [part])
    return part ? <part.default {...props} /> : <Fallback {...props} onRetry={retry} />
  }
  return lazy(async () => (await tryToLoad()) ?? { default: Retrying })
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
