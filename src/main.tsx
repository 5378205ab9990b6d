import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { baseUrl, inDemo } from '#app/browser/base-url.ts'
import { keepInstallPrompt } from '#app/browser/device/install-prompt.ts'
import { firstScreen } from '#app/browser/first-screen.ts'
import { preparePage } from '#app/browser/prepare-page.ts'
import { isBusy } from '#app/browser/update/reload-guard.ts'
import { startUpdates } from '#app/browser/update/update.ts'
import { openSoma } from '#store/open.ts'
import { note } from '#sync/database/device/diagnostics.ts'
import { App } from './app/app.tsx'
import './app/styles.css'

// The demo's own build begins with its own script (vite.config.ts). Said by the environment itself, so that
// nothing of the demo is built into the app.
if (import.meta.env.DEV && inDemo) void import('#demo/start-demo.tsx')
else open()

function open() {
  keepInstallPrompt()
  preparePage()
  const soma = openSoma({
    base: new URL('api', baseUrl).href,
    storage: allowedStorage(),
    redraw: async (bytes, type) =>
      (await import('#app/browser/photos/resize-image.ts')).resizeImage(
        new Blob([bytes], { type }),
      ),
  })
  // First: what an older version left in local storage must be gone before anything is read from it.
  startUpdates({ busy: isBusy })
  void soma.start(firstScreen()).catch((error: unknown) => note('The app did not start', { error }))
  const root = document.getElementById('root')
  if (root) startTransition(() => createRoot(root).render(<App soma={soma} />))
}

/** Local storage, where the browser allows it: even to name it throws where it does not. */
function allowedStorage(): Storage | undefined {
  try {
    return localStorage
  } catch {
    return undefined
  }
}
