import { Component, type ReactNode } from 'react'
import { BrowserRouter } from 'react-router-dom'
import type { Soma } from '#store/open.ts'
import { note } from '#sync/database/device/diagnostics.ts'
import { baseUrl } from './browser/base-url.ts'
import { Button } from './components/forms/button.tsx'
import { SomaContext } from './hooks/use-soma.ts'
import { Screens } from './routes.tsx'
import { Opened } from './shell/opening.tsx'
import { Shell } from './shell/shell.tsx'
import { StorageGate } from './shell/storage-gate.tsx'

export function App({ soma }: { soma: Soma }) {
  return (
    <ErrorBoundary>
      <SomaContext value={soma}>
        <BrowserRouter basename={baseUrl.pathname}>
          <StorageGate>
            <Shell>
              <Screens />
            </Shell>
          </StorageGate>
        </BrowserRouter>
      </SomaContext>
    </ErrorBoundary>
  )
}

/** Draws an error message in place of a screen that throws. */
class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override componentDidCatch(error: Error) {
    note('A screen failed', { error })
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <main className="mx-auto grid max-w-md gap-4 p-6 pt-16">
        <Opened />
        <h1>Something went wrong</h1>
        <p className="text-soft">
          This screen could not be shown. What you saved is still on this phone.
        </p>
        <Button onClick={() => location.reload()}>Open again</Button>
      </main>
    )
  }
}
