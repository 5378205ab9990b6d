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
  /** How many further late failures this one stands for, which have no toast of their own. */
  more?: number
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
    const line = isLateFailure(toast) ? addFailure(next, toast, ownToasts) : [toast, ...next]
    return { now: line[0], next: line.slice(1) }
  }
  if (!toast.late) return { now: toast, next: [now, ...next] }
  // Of the late toasts that are no failures only the newest is kept.
  if (!isLateFailure(toast)) return { now, next: [...next.filter(isLateFailure), toast] }
  const [first = now, ...line] = addFailure([now, ...next], toast, ownToasts)
  return { now: first, next: line }
}

/** Of more late failures than this, shown or waiting, the number alone is said. */
const ownToasts = 3

/** The late failures in line with another one, which is counted where there are too many. */
function addFailure(line: readonly QueuedToast[], toast: QueuedToast, most: number): QueuedToast[] {
  const failures = line.filter(isLateFailure)
  const counting = failures.find(({ more }) => more !== undefined)
  if (counting?.more !== undefined) {
    const counted = { ...counting, ...moreToast(counting.more + 1) }
    return failures.map((each) => (each === counting ? counted : each))
  }
  return [...failures, failures.length < most ? toast : { ...toast, ...moreToast(1) }]
}

const moreToast = (more: number) => ({
  title: `… and ${more} more`,
  text: 'Open the outbox to see what happened to each.',
  action: { label: 'Open Outbox', to: '/outbox' },
  more,
})

export function removeToast({ now, next }: ToastQueue, id: number): ToastQueue {
  return now?.id === id ? { now: next[0], next: next.slice(1) } : { now, next }
}

let lastId = 0

export const useToasts = create<ToastQueue>()(() => ({ now: undefined, next: [] }))

export const toast = (content: Toast): void => toastAll([content])

/** Shows several toasts with one change of the queue. */
export function toastAll(contents: readonly Toast[]): void {
  useToasts.setState((stack) =>
    contents.reduce((queue, content) => {
      lastId += 1
      return pushToast(queue, { ...content, id: lastId })
    }, stack),
  )
}

export const dismiss = (id: number): void => useToasts.setState((stack) => removeToast(stack, id))
