import { create } from 'zustand'

export type Toast = {
  title: string
  text?: string
  /** Bad news, read out at once. */
  destructive?: boolean
  /** Neither good news nor bad: nothing was done. */
  plain?: boolean
  /** About something asked earlier, perhaps hours ago, not about what the person has just done. */
  late?: boolean
  action?: { label: string; to: string }
}

export type Shown = Toast & { id: number }
export type Stack = { now: Shown | undefined; next: readonly Shown[] }

/** Late bad news has nothing else on the screen that tells it: it must be read. */
const mustBeRead = (toast: Shown) => toast.destructive === true && toast.late === true

/**
 * One toast at a time (spec §9): the newest. But late bad news lets no other late news push it aside,
 * and when the answer to what the person does now goes before it, it comes back after. Pure.
 */
export function push({ now, next }: Stack, toast: Shown): Stack {
  if (!now || !mustBeRead(now)) {
    const [first = toast, ...rest] = mustBeRead(toast) ? [...next, toast] : [toast, ...next]
    return { now: first, next: rest }
  }
  if (!toast.late) return { now: toast, next: [now, ...next] }
  // Of the good news that comes meanwhile the last is worth saying.
  return { now, next: [...next.filter(mustBeRead), toast] }
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
