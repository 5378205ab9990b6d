/** The device says that it has no network at all: what is tried at this moment does not leave it. */
export const isOffline = (): boolean => !navigator.onLine
