/** The device reports no network at all: a request made now cannot leave. */
export const isOffline = (): boolean => !navigator.onLine
