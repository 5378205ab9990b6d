import { createRoot } from 'react-dom/client'
import { openSoma } from '#sync/open.ts'
import { App } from './app/app.tsx'
import { isBusy } from './app/busy.ts'
import { home, inDemo } from './app/place.ts'
import { startUpdates } from './app/update.ts'
import './app/styles.css'

// Said by the environment itself, so that nothing of the demo is built into the app.
if (import.meta.env.MODE === 'demo' || (import.meta.env.DEV && inDemo))
  void import('./demo/main.tsx')
else open()

function open() {
  const soma = openSoma({
    base: new URL('api', home).href,
    storage: localStorage,
    redraw: async (bytes, type) =>
      (await import('./app/shrink.ts')).shrink(new Blob([bytes], { type })),
  })
  // First: what an older version left in local storage must be gone before anything is read from it.
  startUpdates({ busy: isBusy })
  void soma.start()

  const root = document.getElementById('root')
  if (root) createRoot(root).render(<App soma={soma} />)
}
