import { describe, expect, test } from 'vitest'
import { batchPhone, fine, issues, stream, textOf } from '../../helpers/device/batch-phone.ts'
import { person, signIn } from '../../helpers/device/device.ts'

/** A line, or a single answer, that says that the token is no longer taken. */
const dead = (key: string) => ({ key, status: 401, body: { error: 'No', reason: 'no-session' } })

describe('S14: a late answer that refuses an earlier token', () => {
  test('leaves a login that has followed since as it is, and its queue goes on', async () => {
    const phone = await batchPhone(issues(2))
    let logins = 0
    phone.answerWith(async (operations) => {
      if (logins > 0) return stream(textOf(operations.map(fine)))
      await signIn(phone.db, person('kofi', 'driver'), `token ${++logins}`)
      return stream(textOf(operations.map(({ key }) => dead(key))))
    })
    await phone.drain()
    expect(await phone.db.sessions.get('current')).toMatchObject({ token: 'token 1' })
    expect((await phone.db.sessions.get('current'))?.expired).toBeFalsy()
    await phone.drain()
    expect(await phone.states()).toEqual(['done', 'done'])
  })

  test('of the token of now, the queue waits for a login', async () => {
    const phone = await batchPhone(issues(2))
    phone.answerWith((operations) => stream(textOf(operations.map(({ key }) => dead(key)))))
    await phone.drain()
    expect(await phone.states()).toEqual(['waiting', 'waiting'])
    expect(await phone.db.sessions.get('current')).toMatchObject({ expired: true })
  })
})
