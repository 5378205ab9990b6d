import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pop, push, type Shown, type Stack } from '../../src/app/toasts.ts'

const good = (id: number): Shown => ({ id, title: `good ${id}` })
const bad = (id: number): Shown => ({ id, title: `bad ${id}`, destructive: true })
const none: Stack = { now: undefined, next: [] }

/** Everything a person gets to read, when each toast is left until it goes by itself. */
function readAll(stack: Stack): number[] {
  const read: number[] = []
  for (let left = stack; left.now; left = pop(left, left.now.id)) read.push(left.now.id)
  return read
}

describe('one toast at a time', () => {
  it('good news makes way for the next', () => {
    expect(push(push(none, good(1)), good(2)).now?.id).toBe(2)
  })

  it('bad news is not pushed aside by good news', () => {
    expect(readAll(push(push(none, bad(1)), good(2)))).toEqual([1, 2])
  })

  it('of the good news that came meanwhile the last is worth saying', () => {
    const stack = [bad(1), good(2), good(3)].reduce(push, none)
    expect(readAll(stack)).toEqual([1, 3])
  })

  it('every piece of bad news is read, in its order, whatever else comes', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 12 }), (kinds) => {
        const toasts = kinds.map((isBad, id) => (isBad ? bad(id) : good(id)))
        const read = readAll(toasts.reduce(push, none))
        const wanted = toasts.filter((toast) => toast.destructive).map(({ id }) => id)
        expect(read.filter((id) => wanted.includes(id))).toEqual(wanted)
      }),
    )
  })

  it('dismissing one that has gone already takes nothing else away', () => {
    const stack = push(none, good(2))
    expect(pop(stack, 1)).toEqual(stack)
  })
})
