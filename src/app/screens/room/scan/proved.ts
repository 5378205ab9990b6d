import { create } from 'zustand'

/** The delivery whose code this phone has just found right, until the driver has seen it. */
export const useProved = create<{ id?: string }>(() => ({}))

export const showProved = (id: string): void => useProved.setState({ id })
export const hideProved = (): void => useProved.setState({ id: undefined })
