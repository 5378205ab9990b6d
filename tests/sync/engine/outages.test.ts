import { expect, test } from 'vitest'
import * as queries from '#store/queries/queries.ts'
import { ours } from '../../helpers/device/answers.ts'
import { phoneOfTest } from '../../helpers/device/phone-of-test.ts'
import { viewers } from '../../helpers/device/simulated-phone.ts'

const minute = 60_000
const openPhone = phoneOfTest()

test('S16, S47: after an hour in which a gateway answers 502 and names an hour everything leaves within seconds of the first answer', async () => {
  const answer = () =>
    Response.json({ message: 'Later' }, { status: 502, headers: { 'retry-after': '3600' } })
  const phone = await openPhone('driver', { only: ['jobs', 'zones', 'delivery:d1'] })
  const { time, commands, db, requests } = phone
  phone.answers['/disputes'] = { dispute: { ID: 'x1', DeliveryID: 'd3', status: 'open' } }
  for (const path of [...Object.values(viewers.driver?.lists ?? {}), '/batch', '/disputes'])
    phone.answerWith(path, answer)
  for (const issue of ['One', 'Two', 'Three']) await commands.reportIssue('d3', issue)
  await time.pass(75 * minute)
  expect((await queries.syncStatus(db)).reachable).toBe(false)
  expect(await queries.outboxSummary(db)).toMatchObject({ unsent: 3 })
  const from = time.now()
  phone.recover()
  while (!requests.some(({ at }) => at > from)) await time.pass(1_000)
  expect(time.now() - from).toBeLessThan(4 * minute)
  await time.pass(3_000)
  expect(await queries.outboxSummary(db)).toMatchObject({ unsent: 0, refused: 0 })
  expect((await queries.syncStatus(db)).reachable).toBe(true)
})

test('S13: a time that our server named stands, whoever else is answered', async () => {
  const { time, commands, answers, answerWith, requests, recover } = await openPhone('driver', {
    only: ['jobs', 'delivery:d1'],
  })
  answers['/disputes'] = { dispute: { ID: 'x1', DeliveryID: 'd3', status: 'open' } }
  answerWith('/batch', () => ours({ reason: 'not-found' }, 404))
  answerWith('/disputes', () => ours({ reason: 'unavailable' }, 503, { 'retry-after': '120' }))
  const from = time.now()
  await commands.reportIssue('d3', 'One')
  await time.pass(minute)
  recover()
  await time.pass(2 * minute)
  const asked = requests.filter(({ path, at }) => path === '/disputes' && at >= from)
  expect(asked.map(({ at }) => Math.round((at - from) / minute))).toEqual([0, 2])
})
