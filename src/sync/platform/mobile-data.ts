/** The network as the browser names it; most name none. */
type Connection = { type?: string; saveData?: boolean }

const connection = (): Connection | undefined =>
  typeof navigator === 'undefined'
    ? undefined
    : (navigator as { connection?: Connection }).connection

/** The phone is on mobile data, as far as the browser says. */
export const isOnMobileData = (): boolean => connection()?.type === 'cellular'

/** Whether the browser says on what kind of network the phone is. */
export const namesNetwork = (): boolean => connection()?.type !== undefined
