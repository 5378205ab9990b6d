import { create } from 'zustand'

export type Toast = {
  title: string
  text?: string
  /** Bad news: announced at once and never pushed aside by good news. */
  destructive?: boolean
  action?: { label: string; to: string }
}

export type Shown = Toast & { id: number }
export type Stack = { now: Shown | undefined; next: readonly Shown[] }

/**
 * One toast at a time (spec §9). Good news makes way for whatever comes; bad news stays its time,
 * and of the good news that arrives meanwhile only the last is worth saying after it. Pure.
 */
export function push({ now, next }: Stack, toast: Shown): Stack {
  if (now?.destructive !== true) return { now: toast, next }
  return { now, next: [...next.filter((each) => each.destructive), toast] }
}

export function pop({ now, next }: Stack, id: number): Stack {
  return now?.id === id ? { now: next[0], next: next.slice(1) } : { now, next }
}

let last = 0

export const useToasts = create<Stack>()(() => ({ now: undefined, next: [] }))

export function toast(said: Toast): void {
  last += 1
  const id = last
  useToasts.setState((stack) => push(stack, { ...said, id }))
}

export const dismiss = (id: number): void => useToasts.setState((stack) => pop(stack, id))
