/// <reference lib="webworker" />
declare const self: ServiceWorkerGlobalScope

/** Whether this worker is the demo's (build.ts). */
declare const __DEMO__: boolean
export const inDemo = __DEMO__

/** Where the app lies that this worker answers for; ends with a slash. */
export const scope = new URL(self.registration.scope)

/** As `src/app/browser/base-url.ts` has it: other apps of the same origin have caches too. */
export const storagePrefix = inDemo ? `soma-demo:${scope.pathname}:` : ''
