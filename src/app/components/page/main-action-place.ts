import { createContext, useContext } from 'react'

/** The element at the bottom of the delivery's screen that takes the main action. */
export const MainActionPlace = createContext<HTMLElement | null>(null)

export const useMainActionPlace = (): HTMLElement | null => useContext(MainActionPlace)
