import { expect, test } from 'vitest'
import { createDevice, person, signIn } from '../../helpers/device/device.ts'

const changes = async ({ db }: ReturnType<typeof createDevice>) =>
  (await db.outbox.orderBy('seq').toArray()).map(({ state, input }) => [
    (input as { phone_number: string }).phone_number,
    state,
  ])

/** A phone whose change to …001 stands in the queue in this way. */
async function changedOnce(about: object) {
  const device = createDevice()
  await signIn(device.db, person('ama', 'user'))
  await device.commands.changePhone('0244000001')
  await device.db.outbox.toCollection().modify(about)
  return device
}

const mayHaveArrived: [string, object][] = [
  ['is being sent', { state: 'sending', left: true }],
  ['had no answer', { state: 'retrying', left: true, attempts: 1 }],
  // A dead token puts it back among those that wait.
  ['waits for a login after a try', { state: 'waiting', left: true, attempts: 1 }],
]

test.each(mayHaveArrived)(
  'S37: a change of the phone number that %s is followed, not replaced',
  async (_, about) => {
    const device = await changedOnce(about)
    await device.commands.changePhone('0244000002')
    const { state } = about as { state: string }
    expect(await changes(device)).toEqual([
      ['0244000001', state],
      ['0244000002', 'waiting'],
    ])
    await device.commands.withdrawPhoneChange()
    expect((await changes(device))[0]).toEqual(['0244000001', state])
    expect((await changes(device))[1]).toEqual(['0244000002', 'cancelled'])
  },
)

test('S37: a change that was never sent is replaced by a later one, of the same person alone', async () => {
  const device = await changedOnce({})
  await signIn(device.db, person('kofi', 'user'))
  await device.commands.changePhone('0244000009')
  expect(await changes(device)).toEqual([
    ['0244000001', 'waiting'],
    ['0244000009', 'waiting'],
  ])
  await signIn(device.db, person('ama', 'user'))
  await device.commands.changePhone('0244000002')
  expect(await changes(device)).toEqual([
    ['0244000001', 'cancelled'],
    ['0244000009', 'waiting'],
    ['0244000002', 'waiting'],
  ])
})
