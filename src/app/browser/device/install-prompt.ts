/** Chrome's offer to install the app, which TypeScript's own library does not declare. */
export type InstallPrompt = Event & {
  prompt(): Promise<unknown>
  userChoice: Promise<{ outcome: 'accepted' | 'dismissed' }>
}

let offered: InstallPrompt | undefined
const listeners = new Set<() => void>()

/** Stores the browser's install prompt for later. Call it before the page has loaded: the event comes once. */
export function keepInstallPrompt(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    set(event as InstallPrompt)
  })
  addEventListener('appinstalled', () => set(undefined))
}

function set(prompt: InstallPrompt | undefined) {
  offered = prompt
  for (const notify of listeners) notify()
}

/** The browser's offer; nothing where there is none, or not yet. */
export const installPrompt = (): InstallPrompt | undefined => offered

/** Calls back when the offer comes or goes. Returns the function that ends it. */
export function onInstallPrompt(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** An offer can be made once. */
export const forgetInstallPrompt = (): void => set(undefined)
