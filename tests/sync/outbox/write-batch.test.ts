import { expect, test, vi } from 'vitest'
import type { OutboxEntry } from '#sync/database/entry.ts'
import type { Projection } from '#sync/model.ts'
import { WriteBatch } from '#sync/outbox/write-batch.ts'
import { createDevice } from '../../helpers/device/device.ts'
import { reportEntry } from '../../helpers/device/report-entry.ts'

const entry = (seq: number, more: Partial<OutboxEntry> = {}) => reportEntry(seq, { seq, ...more })

test('S6: each account’s rows and lanes are projected once, and every entry is written', async () => {
  const { db } = createDevice()
  const project = vi.fn<Projection['project']>(async () => () => db.outbox.count() as never)
  const projection = { project, isShown: () => true }
  const batch = new WriteBatch()
  batch.put(entry(1))
  batch.put(entry(2), false)
  batch.put(entry(3, { account: 'ama' }))
  batch.addRows('kofi', ['row 1'])
  batch.addRows('ama', ['row 3'])
  batch.addRows('kofi', ['row 2'])
  const write = await batch.prepare(db, projection as never, 7)
  await write()
  expect(project.mock.calls.map(([, account, about]) => [account, about])).toMatchObject([
    ['kofi', { lanes: ['d1'], serverRows: ['row 1', 'row 2'], serverAt: 7 }],
    ['ama', { lanes: ['d3'], serverRows: ['row 3'], serverAt: 7 }],
  ])
  expect((await db.outbox.toArray()).map(({ id }) => id)).toEqual(['e1', 'e2', 'e3'])
  db.close()
})

test('S15: an entry that this batch has ended is known as such, one that is sent again is not', () => {
  const batch = new WriteBatch()
  batch.put(entry(1, { state: 'refused' }))
  batch.put(entry(2, { state: 'retrying' }))
  expect([1, 2, 3].map((seq) => batch.hasEnded(entry(seq)))).toEqual([true, false, false])
  batch.moveLane(entry(1), 'there')
  expect(batch.moved).toEqual([{ account: 'kofi', from: 'd1', to: 'there' }])
})
