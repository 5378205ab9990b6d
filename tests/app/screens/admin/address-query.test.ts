import { expect, test } from 'vitest'
import {
  changedQuery,
  readTrail,
  viewQuery,
  writeTrail,
} from '../../../../src/app/screens/admin/list/address-query.ts'

test('R188: the page stays in the address until the list is narrowed or sorted anew', () => {
  const after = writeTrail(['["2026-11-28",1]', 'b+/='])
  const second = changedQuery('?status=Pending', { after })
  const opened = changedQuery(`?${second}`, { open: 'x' })
  expect(readTrail(opened.get('after'))).toEqual(['["2026-11-28",1]', 'b+/='])
  const changes: Record<string, string>[] = [{ q: 'ama' }, { sort: '-offer' }, { status: '' }]
  for (const change of changes) {
    const query = changedQuery(`?${opened}`, change)
    expect([query.get('after'), query.get('open')]).toEqual([null, 'x'])
  }
  expect(changedQuery(`?${second}`, { after: writeTrail([]) }).toString()).toBe('status=Pending')
})

test('R188: an address that somebody changed by hand shows the first page', () => {
  for (const text of [null, '', 'x', '{}', '[1]', '"a"']) expect(readTrail(text)).toEqual([])
})

test('R229: a view is what narrows and sorts a list, in whatever order, without its page and its open row', () => {
  const after = encodeURIComponent(writeTrail(['a']))
  const view = 'q=ama&sort=-offer&status=Pending'
  expect(viewQuery(`?status=Pending&open=x&sort=-offer&after=${after}&q=ama`)).toBe(view)
  expect(viewQuery(`?${view}`)).toBe(view)
  expect(viewQuery('?open=x')).toBe('')
})
