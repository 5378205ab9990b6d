import { beforeEach, expect, test } from 'vitest'
import { type PageQuery, pageRef } from '#store/deliveries/save/admin-pages.ts'
import { listing } from '#store/queries/admin/listings.ts'
import type { Phone } from '../../helpers/device/phone.ts'
import { present } from '../../helpers/server/server.ts'
import { serverOfFile } from '../../sync/server-fixture.ts'

const { server, startedPhone } = serverOfFile()

let office: Phone
beforeEach(async () => {
  await server()
    .ports.repo.transaction(async ({ audit }) => {
      for (let each = 0; each < 12; each++)
        await audit.add({
          ID: `01970000-0000-7000-8000-0000000000${10 + each}`,
          At: new Date(Date.UTC(2026, 10, 21, 8, each)).toISOString(),
          Actor: 'admin@soma.local',
          Action: each % 2 === 0 ? 'reviewDriver' : 'viewIdPhoto',
          Subject: `driver ${each}`,
          Address: '10.0.0.1',
        })
    })
    .catch(() => {})
  office = await startedPhone()
  await office.session.login(server().admin.email, server().admin.password)
})

async function look(query: PageQuery, page = 0) {
  const leave = office.engine.watch(pageRef('adminAudit', query))
  await office.settle()
  leave()
  return present(await listing(office.db, 'adminAudit', query, { page, reachable: true }))
}

test('the audit log comes page by page, newest first, and is searched by the server', async () => {
  const first = await look({ limit: '10', search: 'driver ' })
  expect(first.rows).toHaveLength(10)
  expect(first.rows[0]).toMatchObject({ Subject: 'driver 11' })
  const second = await look({ limit: '10', search: 'driver ', after: first.next }, 1)
  expect(second.rows.map(({ Subject }) => Subject)).toEqual(['driver 1', 'driver 0'])
  const viewed = await look({ limit: '10', search: 'viewIdPhoto' })
  expect(viewed.rows).toHaveLength(6)
})

test('the whole log is one file for a spreadsheet', async () => {
  await office.settle()
  const file = present(await office.exportCsv('audit', { query: { search: 'driver ' } }))
  const lines = (await file.text()).trim().split('\r\n')
  expect(lines[0]).toContain('When')
  expect(lines).toHaveLength(13)
})
