/// <reference lib="webworker" />
declare const self: ServiceWorkerGlobalScope

/** Whether this is the demo's worker; the build inserts it (build.ts). */
declare const __DEMO__: boolean
export const inDemo = __DEMO__

/** The address of the app that this worker serves; ends with a slash. */
export const scope = new URL(self.registration.scope)

/** Starts the name of every cache, as in `src/app/browser/base-url.ts`: app and demo share an origin. */
export const storagePrefix = inDemo ? `soma-demo:${scope.pathname}:` : ''
