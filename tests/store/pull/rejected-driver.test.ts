import { expect, test } from 'vitest'
import * as deliveryQueries from '#store/queries/deliveries.ts'
import * as lists from '#store/queries/lists.ts'
import * as queries from '#store/queries/queries.ts'
import { createPhone } from '../../helpers/device/phone.ts'
import { serverOfFile } from '../../sync/server-fixture.ts'

const { server, network } = serverOfFile()

test('S36: a job taken off a rejected driver leaves the phone, with its room', async () => {
  const someone = await server().driver()
  const job = await server().delivery(await server().sender())
  await server().drive(job, someone, 'Accepted')
  const phone = createPhone(network())
  await phone.start()
  await phone.session.login(someone.email, someone.password)
  await phone.settle()
  phone.engine.watch({ kind: 'delivery', id: job.ID })
  await phone.settle()
  expect(await lists.jobs(phone.db)).toHaveLength(1)

  const user = { ...someone.user, driverStatus: 'rejected' as const }
  network().setConditions(({ url }) => {
    const { pathname, searchParams } = new URL(url)
    if (pathname === '/api/users/me') return Response.json({ user, role: user.role })
    if (pathname === '/api/driver/status') return Response.json({ status: 'rejected' })
    if (pathname === '/api/driver/my-deliveries' && searchParams.has('since'))
      return Response.json({ deliveries: [], removed: [job.ID], cursor: 'next' })
    if (pathname === `/api/deliveries/${job.ID}`)
      return Response.json({ error: 'Not here', reason: 'not-found' }, { status: 404 })
    return 'fine'
  })
  await phone.settle()
  expect(await lists.jobs(phone.db)).toEqual([])
  expect(await deliveryQueries.deliveryRow(phone.db, job.ID)).toBeNull()
  expect(await deliveryQueries.deniedAs(phone.db, job.ID)).toBe('not-found')
  expect((await queries.viewerSession(phone.db))?.user.driverStatus).toBe('rejected')
  expect(await deliveryQueries.activeJob(phone.db)).toBeNull()
  await phone.kill()
})
