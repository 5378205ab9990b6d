import { useEffect } from 'react'
import { create } from 'zustand'

export type Toast = {
  title: string
  text?: string
  /** A failure, which screen readers announce at once. */
  destructive?: boolean
  /** Neither a success nor a failure. */
  plain?: boolean
  /** About an operation that was queued, perhaps hours ago, not about the person's latest action. */
  late?: boolean
  action?: { label: string; to: string }
  /** About another party's action: a later toast waits until it has been shown. */
  kept?: boolean
  /** What it is about, such as a delivery's ID: a later toast about the same thing takes its place. */
  about?: string
  /** Said on the way to another screen; else a toast about what the person did leaves with its screen. */
  stays?: boolean
  /** How many further late failures this one stands for, which have no toast of their own. */
  more?: number
}

/** `screen`: the path it was said at. */
export type QueuedToast = Toast & { id: number; screen?: string }
export type ToastQueue = { now: QueuedToast | undefined; next: readonly QueuedToast[] }

/** Nothing else on the screen shows a late failure, so its toast must be read. */
const isLateFailure = (toast: QueuedToast) => toast.destructive === true && toast.late === true
const isKept = (toast: QueuedToast) => toast.kept === true || isLateFailure(toast)

/**
 * Adds a toast; the newest is shown, one at a time (R81). Another late toast does not replace a late
 * failure or an announcement, and a toast about the person's latest action is shown before it, not instead
 * of it.
 */
export function pushToast(queue: ToastQueue, toast: QueuedToast): ToastQueue {
  const { now, next } = withoutOlder(queue, toast.about)
  if (!now || !isKept(now)) {
    const line = isKept(toast) ? addKept(next, toast) : [toast, ...next]
    return { now: line[0], next: line.slice(1) }
  }
  if (!toast.late) return { now: toast, next: [now, ...next] }
  // Of the late toasts that need not be read only the newest stays.
  if (!isKept(toast)) return { now, next: [...next.filter(isKept), toast] }
  const [first = now, ...line] = addKept([now, ...next], toast)
  return { now: first, next: line }
}

/** Without toasts that say how things stood with the same thing before. */
const withoutOlder = (queue: ToastQueue, about: string | undefined): ToastQueue =>
  about === undefined ? queue : removeToasts(queue, (each) => each.about === about)

/** The most late failures with a toast of their own; of further ones only the number is shown. */
const ownToasts = 3

/** Adds a toast that must be read; too many late failures are merged into a number. */
function addKept(line: readonly QueuedToast[], toast: QueuedToast): QueuedToast[] {
  const kept = line.filter(isKept)
  if (!isLateFailure(toast)) return [...kept, toast]
  const failures = kept.filter(isLateFailure)
  const counting = failures.find(({ more }) => more !== undefined)
  if (counting?.more !== undefined) {
    const counted = { ...counting, ...moreToast(counting.more + 1) }
    return kept.map((each) => (each === counting ? counted : each))
  }
  return [...kept, failures.length < ownToasts ? toast : { ...toast, ...moreToast(1) }]
}

const moreToast = (more: number) => ({
  title: `… and ${more} more`,
  text: 'Open the outbox to see what happened to each.',
  action: { label: 'Open Outbox', to: '/outbox' },
  more,
})

/** Without the toasts that `isGone` names; the next one moves up. */
export function removeToasts(
  queue: ToastQueue,
  isGone: (toast: QueuedToast) => boolean,
): ToastQueue {
  const [now, ...next] = [queue.now, ...queue.next].filter(
    (each) => each !== undefined && !isGone(each),
  )
  return { now, next: next.filter((each) => each !== undefined) }
}

let lastId = 0

export const useToasts = create<ToastQueue>()(() => ({ now: undefined, next: [] }))

export const toast = (content: Toast): void => toastAll([content])

/** Shows several toasts with one change of the queue. */
export function toastAll(contents: readonly Toast[]): void {
  useToasts.setState((stack) =>
    contents.reduce((queue, content) => {
      lastId += 1
      return pushToast(queue, { ...content, id: lastId, screen: location.pathname })
    }, stack),
  )
}

/** Removes the toasts about something that the person now does again. */
export const dismissAbout = (about: string): void =>
  useToasts.setState((stack) => withoutOlder(stack, about))

export const dismiss = (id: number): void =>
  useToasts.setState((stack) => removeToasts(stack, (each) => each.id === id))

/** Whether a toast has nothing to say on a screen: it is about what the person did on another. */
export const isElsewhere = ({ late, kept, stays, screen }: QueuedToast, path: string): boolean =>
  !late && !kept && !stays && screen !== path

/** Takes away what was said about screens before the one that is open. */
export const leaveScreen = (): void =>
  useToasts.setState((stack) => removeToasts(stack, (each) => isElsewhere(each, location.pathname)))

/** A toast that says what the screen found; it leaves when that is no longer so, and with the screen. */
export function useToast(said: Toast | undefined): void {
  const content = said && JSON.stringify(said)
  useEffect(() => {
    if (content === undefined) return
    toast(JSON.parse(content))
    const id = lastId
    return () => dismiss(id)
  }, [content])
}
