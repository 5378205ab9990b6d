import { expect, test } from 'vitest'
import {
  changedQuery,
  readTrail,
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
