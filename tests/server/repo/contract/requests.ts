import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import type { RepoFixture } from './repo-fixture.ts'

/** The contract of the `Repo` port about requests and settings. */
export function requestContract({ repo, at }: RepoFixture) {
  test('R70: a request key is claimed once, also by concurrent calls, and its response stored', async () => {
    const id = v7()
    const sealed = new Uint8Array([0, 1, 255])
    const work = () =>
      repo.transaction(async ({ requests }) => {
        if (!(await requests.claim(id, 'print', at()))) return requests.find(id)
        await requests.answer(id, 201, sealed)
        return 'first' as const
      })
    const outcomes = await Promise.all([work(), work(), work(), work()])
    expect(outcomes.filter((each) => each === 'first')).toHaveLength(1)
    const kept = { fingerprint: 'print', status: 201, sealed }
    expect(outcomes.filter((each) => each !== 'first')).toEqual([kept, kept, kept])
    const later = '2030-01-01T00:00:00.000Z'
    await repo.transaction(({ requests }) => requests.sweep(later, later))
    expect(await repo.read(({ requests }) => requests.find(id))).toBeUndefined()
  })

  test('R88: the stored responses of many keys are read together, without claims and unknown keys', async () => {
    await repo.transaction(async ({ requests }) => {
      for (const id of ['many a', 'many b', 'many c']) await requests.claim(id, `of ${id}`, at())
      await requests.answer('many a', 200, new Uint8Array([1]))
      await requests.answer('many c', 409, new Uint8Array([3]))
    })
    const find = (ids: string[]) => repo.read(({ requests }) => requests.findMany(ids))
    expect(await find(['many a', 'many b', 'many c', 'nobody', 'many a'])).toEqual(
      new Map([
        ['many a', { fingerprint: 'of many a', status: 200, sealed: new Uint8Array([1]) }],
        ['many c', { fingerprint: 'of many c', status: 409, sealed: new Uint8Array([3]) }],
      ]),
    )
    expect(await find([])).toEqual(new Map())
  })

  test('stored responses are read in pages in order of ID, sealed anew, and removed', async () => {
    const ids = ['page a', 'page b', 'page c']
    await repo.transaction(async ({ requests }) => {
      for (const id of ids) {
        await requests.claim(id, 'print', at())
        await requests.answer(id, 200, new Uint8Array([1]))
      }
      await requests.answer('page b', 201, new Uint8Array([2]))
    })
    const page = (after: string, limit: number) =>
      repo.read(({ requests }) => requests.page(after, limit))
    const [first, second] = await page('page ', 2)
    expect([first?.id, second?.id]).toEqual(['page a', 'page b'])
    expect(second).toEqual({
      id: 'page b',
      fingerprint: 'print',
      status: 201,
      sealed: new Uint8Array([2]),
    })
    await repo.transaction(({ requests }) => requests.remove('page a'))
    expect((await page('page ', 9)).map(({ id }) => id)).toEqual(['page b', 'page c'])
    expect(await page('page c', 9)).toEqual([])
  })

  test('a setting keeps its first value until it is removed or set', async () => {
    const keep = (value: string) => repo.transaction(({ settings }) => settings.keep('s', value))
    expect([await keep('one'), await keep('two')]).toEqual(['one', 'one'])
    await repo.transaction(({ settings }) => settings.remove('s'))
    expect(await keep('two')).toBe('two')
    for (const value of ['three', 'four'])
      await repo.transaction(({ settings }) => settings.set('s', value))
    expect(await keep('five')).toBe('four')
    await repo.transaction(({ settings }) => settings.remove('s'))
  })
}
