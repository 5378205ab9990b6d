import { create } from 'zustand'

export type Toast = {
  title: string
  text?: string
  /** A failure, which screen readers announce at once. */
  destructive?: boolean
  /** Neutral: neither a success nor a failure. */
  plain?: boolean
  /** About an operation that was queued, perhaps hours ago, not about the person's latest action. */
  late?: boolean
  action?: { label: string; to: string }
}

export type QueuedToast = Toast & { id: number }
export type ToastQueue = { now: QueuedToast | undefined; next: readonly QueuedToast[] }

/** Nothing else on the screen shows a late failure, so its toast must be read. */
const isLateFailure = (toast: QueuedToast) => toast.destructive === true && toast.late === true

/**
 * Adds a toast; the newest is shown, one at a time (R81). Another late toast does not replace a late
 * failure, and a toast about the person's latest action is shown before it, not instead of it.
 */
export function pushToast({ now, next }: ToastQueue, toast: QueuedToast): ToastQueue {
  if (!now || !isLateFailure(now)) {
    const [first = toast, ...rest] = isLateFailure(toast) ? [...next, toast] : [toast, ...next]
    return { now: first, next: rest }
  }
  if (!toast.late) return { now: toast, next: [now, ...next] }
  // Of the late toasts that are no failures only the newest is kept.
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
