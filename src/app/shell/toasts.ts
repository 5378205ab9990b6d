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

export type QueuedToast = Toast & { id: number }
export type ToastQueue = { now: QueuedToast | undefined; next: readonly QueuedToast[] }

/** Late bad news has nothing else on the screen that tells it: it must be read. */
const isLateFailure = (toast: QueuedToast) => toast.destructive === true && toast.late === true

/**
 * One toast at a time (spec §9): the newest. But late bad news lets no other late news push it aside,
 * and when the answer to what the person does now goes before it, it comes back after. Pure.
 */
export function pushToast({ now, next }: ToastQueue, toast: QueuedToast): ToastQueue {
  if (!now || !isLateFailure(now)) {
    const [first = toast, ...rest] = isLateFailure(toast) ? [...next, toast] : [toast, ...next]
    return { now: first, next: rest }
  }
  if (!toast.late) return { now: toast, next: [now, ...next] }
  // Of the good news that comes meanwhile the last is worth saying.
  return { now, next: [...next.filter(isLateFailure), toast] }
}

export function removeToast({ now, next }: ToastQueue, id: number): ToastQueue {
  return now?.id === id ? { now: next[0], next: next.slice(1) } : { now, next }
}

let lastId = 0

export const useToasts = create<ToastQueue>()(() => ({ now: undefined, next: [] }))

export function toast(content: Toast): void {
  lastId += 1
  const id = lastId
  useToasts.setState((stack) => pushToast(stack, { ...content, id }))
}

export const dismiss = (id: number): void => useToasts.setState((stack) => removeToast(stack, id))
