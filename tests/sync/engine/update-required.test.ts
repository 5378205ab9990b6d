import { describe, expect, test } from 'vitest'
import { buildNumber } from '#contract/version.ts'
import * as queries from '#store/queries/queries.ts'
import {
  noteMinimumBuild,
  noteUpdateRequired,
  updateRequired,
} from '#sync/database/device/update.ts'
import { answersFor, jobAnswer, ours } from '../../helpers/device/answers.ts'
import { phoneOfTest } from '../../helpers/device/phone-of-test.ts'

const minute = 60_000
const hour = 60 * minute

const openPhone = phoneOfTest()
const fewLists = ['config', 'me', 'jobs']

const tooOld = () => ours({ error: 'Update to continue.', reason: 'update' }, 426)
const config = answersFor({})['/config']
const atLeast = (minClientVersion: number) => () => ours({ ...config, minClientVersion })

describe('S48: a server that takes only newer builds', () => {
  test.each([
    ['says so in answer to a read', '/driver/my-deliveries', tooOld],
    ['says so in answer to what is sent', '/deliveries/d3/status', tooOld],
    ['says so in its configuration', '/config', atLeast(buildNumber + 1)],
  ])(
    '%s: nothing is sent or asked for but its configuration, until it is enough',
    async (_, path, answer) => {
      const phone = await openPhone('driver', { only: fewLists })
      const { time, db } = phone
      phone.answerWith('/config', atLeast(buildNumber + 1))
      phone.answerWith('/deliveries/d3/status', tooOld)
      phone.answerWith(path, answer)
      if (path === '/config') await phone.engine.refresh({ kind: 'config' })
      const id = await phone.commands.pickUpDelivery('d3')
      await time.pass(10_000)
      expect(await updateRequired(db)).toBe(true)
      const from = time.now()
      void phone.engine.wake()
      await time.pass(hour + minute)
      // The event stream has no minimum.
      const { '/events': _events, ...asked } = phone.countsSince(from)
      expect(Object.keys(asked)).toEqual(['/config'])
      expect(phone.countsSince(from)['/config']).toBeLessThanOrEqual(3)
      expect(await queries.viewerSession(db)).toMatchObject({ account: 'u1' })
      expect((await db.outbox.where('id').equals(id).first())?.state).toMatch(/waiting|retrying/)
      phone.recover()
      phone.answerWith('/config', atLeast(buildNumber))
      phone.answers['/deliveries/d3/status'] = {
        delivery: jobAnswer('d3', { status: 'Picked Up' }),
      }
      await phone.engine.wake()
      await time.pass(minute)
      expect(await updateRequired(db)).toBe(false)
      expect((await db.outbox.where('id').equals(id).first())?.state).toBe('done')
      expect(phone.countsSince(from)['/driver/my-deliveries']).toBeGreaterThanOrEqual(1)
    },
  )

  test('what waits is sent as soon as another tab hears that this build is enough', async () => {
    const phone = await openPhone('driver', { only: fewLists })
    const { time, db, commands } = phone
    await noteUpdateRequired(db, 'config')
    await time.pass(1_000)
    await commands.pickUpDelivery('d3')
    await time.pass(20_000)
    const sent = () => phone?.requests.some(({ path }) => path === '/deliveries/d3/status')
    expect(sent()).toBe(false)
    await noteMinimumBuild(db, buildNumber)
    await time.pass(1_000)
    expect(sent()).toBe(true)
  })

  test('a gateway’s 426 is none of ours', async () => {
    const phone = await openPhone('driver', { only: fewLists })
    phone.answerWith('/users/me', () => Response.json({ error: 'HTTP/2, please' }, { status: 426 }))
    await phone.time.pass(minute)
    expect(await updateRequired(phone.db)).toBe(false)
  })

  test('after the update everything goes on', async () => {
    const before = { key: 'updateRequired', value: { build: buildNumber - 1 } }
    const phone = await openPhone('driver', {
      only: fewLists,
      prepare: (db) => db.meta.put(before),
    })
    expect(await updateRequired(phone.db)).toBe(false)
    expect(phone.countsSince(0)['/users/me']).toBeGreaterThanOrEqual(1)
  })
})
