import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  pushToast,
  type QueuedToast,
  removeToast,
  type ToastQueue,
} from '../../../src/app/shell/toasts.ts'

const news = (id: number): QueuedToast => ({ id, title: `late good ${id}`, late: true })
const bad = (id: number): QueuedToast => ({
  id,
  title: `late bad ${id}`,
  late: true,
  destructive: true,
})
const answer = (id: number, destructive = false): QueuedToast => ({
  id,
  title: `${id}`,
  destructive,
})
const none: ToastQueue = { now: undefined, next: [] }

/** Everything a person gets to read from now on, when each toast is left until it goes by itself. */
function readAll(stack: ToastQueue): number[] {
  const read: number[] = []
  for (let left = stack; left.now; left = removeToast(left, left.now.id)) read.push(left.now.id)
  return read
}

describe('one toast at a time', () => {
  it('the newest takes the place of the one before', () => {
    expect(readAll([news(1), answer(2, true), answer(3), news(4)].reduce(pushToast, none))).toEqual(
      [4],
    )
  })

  it('late bad news is not pushed aside by other late news', () => {
    expect(readAll([bad(1), news(2)].reduce(pushToast, none))).toEqual([1, 2])
  })

  it('of the good news that came meanwhile the last is worth saying', () => {
    expect(readAll([bad(1), news(2), news(3)].reduce(pushToast, none))).toEqual([1, 3])
  })

  it('the answer to what the person does now is shown at once, and late bad news after it', () => {
    expect(readAll([bad(1), answer(2, true)].reduce(pushToast, none))).toEqual([2, 1])
  })

  it('all late bad news is read, in its order, whatever else comes', () => {
    const kinds = [news, bad, (id: number) => answer(id), (id: number) => answer(id, true)]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...kinds), { maxLength: 12 }), (made) => {
        const toasts = made.map((make, id) => make(id))
        const wanted = toasts.flatMap((each) => (each.late && each.destructive ? [each.id] : []))
        const read = readAll(toasts.reduce(pushToast, none))
        expect(read.filter((id) => wanted.includes(id))).toEqual(wanted)
      }),
    )
  })

  it('dismissing one that has gone already takes nothing else away', () => {
    const stack = pushToast(none, news(2))
    expect(removeToast(stack, 1)).toEqual(stack)
  })
})
