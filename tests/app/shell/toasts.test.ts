import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isElsewhere,
  pushToast,
  type QueuedToast,
  removeToasts,
  type ToastQueue,
} from '#app/toasts.ts'

const lateSuccess = (id: number): QueuedToast => ({ id, title: `late success ${id}`, late: true })
const lateFailure = (id: number): QueuedToast => ({
  id,
  title: `late failure ${id}`,
  late: true,
  destructive: true,
})
const direct = (id: number, destructive = false): QueuedToast => ({
  id,
  title: `${id}`,
  destructive,
})
const none: ToastQueue = { now: undefined, next: [] }

const without = (queue: ToastQueue, id: number) => removeToasts(queue, (each) => each.id === id)

/** The toasts shown from now on, each until its time is over. */
function shownToasts(stack: ToastQueue): QueuedToast[] {
  const shown: QueuedToast[] = []
  for (let queue = stack; queue.now; queue = without(queue, queue.now.id)) shown.push(queue.now)
  return shown
}

const shownIds = (stack: ToastQueue) => shownToasts(stack).map(({ id }) => id)

describe('R81: one toast at a time', () => {
  it('the newest toast replaces the one before', () => {
    expect(
      shownIds(
        [lateSuccess(1), direct(2, true), direct(3), lateSuccess(4)].reduce(pushToast, none),
      ),
    ).toEqual([4])
  })

  it('a late failure is not replaced by another late toast', () => {
    expect(shownIds([lateFailure(1), lateSuccess(2)].reduce(pushToast, none))).toEqual([1, 2])
  })

  it('R100: announcements are all shown, one after the other, and no late toast takes their place', () => {
    const announcement = (id: number): QueuedToast => ({ ...lateSuccess(id), kept: true })
    const stack = [announcement(1), announcement(2), lateFailure(3), lateSuccess(4)]
    expect(shownIds(stack.reduce(pushToast, none))).toEqual([1, 2, 3, 4])
    expect(shownIds([...stack, direct(5)].reduce(pushToast, none))).toEqual([5, 1, 2, 3, 4])
  })

  it('a toast takes the place of what was said before about the same thing, also in line', () => {
    const about = (toast: QueuedToast, about: string) => ({ ...toast, about })
    const stack = [
      about(lateFailure(1), 'd1'),
      about(lateFailure(2), 'd2'),
      about(lateFailure(3), 'd1'),
      about(lateSuccess(4), 'd1'),
    ].reduce(pushToast, none)
    expect(shownIds(stack)).toEqual([2, 4])
  })

  it('of many late failures three are shown, and how many more there are', () => {
    const stack = Array.from({ length: 40 }, (_, at) => lateFailure(at + 1)).reduce(pushToast, none)
    expect([stack.now, ...stack.next].map((toast) => toast?.title)).toEqual([
      'late failure 1',
      'late failure 2',
      'late failure 3',
      '… and 37 more',
    ])
    expect(stack.next.at(-1)).toMatchObject({ action: { to: '/outbox' }, destructive: true })
    // The number goes on growing while it is shown.
    const [, , last] = stack.next
    const shown = pushToast({ now: last, next: [] }, lateFailure(41))
    expect(shown).toMatchObject({ now: { id: last?.id, title: '… and 38 more' }, next: [] })
  })

  it('of the late successes behind a late failure only the newest is kept', () => {
    expect(
      shownIds([lateFailure(1), lateSuccess(2), lateSuccess(3)].reduce(pushToast, none)),
    ).toEqual([1, 3])
  })

  it('a toast about the latest action is shown at once, and the late failure again after it', () => {
    expect(shownIds([lateFailure(1), direct(2, true)].reduce(pushToast, none))).toEqual([2, 1])
  })

  it('every late failure is shown, in order, or counted, whatever other toasts come', () => {
    const kinds = [
      lateSuccess,
      lateFailure,
      (id: number) => direct(id),
      (id: number) => direct(id, true),
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...kinds), { maxLength: 12 }), (made) => {
        const toasts = made.map((make, id) => make(id))
        const failures = toasts.flatMap((each) => (each.late && each.destructive ? [each.id] : []))
        const shown = shownToasts(toasts.reduce(pushToast, none)).filter(({ late }) => late)
        const own = shown.filter((each) => each.destructive && each.more === undefined)
        const counted = shown.reduce((sum, { more = 0 }) => sum + more, 0)
        expect(own.map(({ id }) => id)).toEqual(failures.slice(0, own.length))
        expect(own.length).toBeGreaterThanOrEqual(Math.min(3, failures.length))
        expect(own.length + counted).toBe(failures.length)
      }),
      { seed: 81, numRuns: 1_000 },
    )
  })

  it('dismissing a toast that is gone removes no other', () => {
    const stack = pushToast(none, lateSuccess(2))
    expect(without(stack, 1)).toEqual(stack)
  })

  it('what was said about a screen leaves with it, shown or waiting; news and what leads away stay', () => {
    const said = [direct(1), { ...direct(2), stays: true }, lateFailure(3), direct(4, true)]
    const stack = said.map((each) => ({ ...each, screen: '/send' })).reduce(pushToast, none)
    const at = (path: string) => shownIds(removeToasts(stack, (each) => isElsewhere(each, path)))
    expect(at('/send')).toEqual([4, 3])
    expect(at('/drive')).toEqual([3])
    const leading = pushToast(none, { ...direct(5), stays: true, screen: '/auth' })
    expect(removeToasts(leading, (each) => isElsewhere(each, '/send'))).toEqual(leading)
  })
})
