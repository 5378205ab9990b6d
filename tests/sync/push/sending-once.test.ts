import { expect, test } from 'vitest'
import type { Entry } from '#store/entries/operations.ts'
import { filledDraft } from '../../helpers/device/device.ts'
import { createNetwork } from '../../helpers/device/phone.ts'
import { onWrite } from '../../helpers/device/writes.ts'
import { serverOfFile } from '../server-fixture.ts'

const { server, startedPhone } = serverOfFile()

test('S3: a photo whose answer comes while another’s is being written is not sent again', async () => {
  const turnstile = createTurnstile()
  const network = createNetwork(async (request) => {
    const answer = await server().fetch(request)
    if (!request.url.endsWith('/images/upload')) return answer
    // Read beforehand, so that it is at hand the moment it is let go.
    const body: unknown = await answer.json()
    await turnstile.pass()
    return Object.assign(answer, { json: async () => body })
  })
  network.cut()
  const phone = await startedPhone({}, network)
  const items = Array.from({ length: 8 }, (_, at) => `Box ${at}`)
  for (const itemDescription of items)
    await phone.commands.requestDelivery(
      await filledDraft(phone.commands, { itemDescription }),
      'guest',
    )
  // Runs inside the transaction that writes the answer before.
  const stop = onWrite(phone.db, ({ table, value }) => {
    if (table === 'outbox' && (value as Entry).state === 'done') turnstile.let()
  })
  network.restore()
  await phone.settle()

  const sent = (path: string) => network.passed.filter((each) => each.path.endsWith(path))
  expect(sent('/images/upload')).toHaveLength(items.length)
  expect(sent('/guest/deliveries')).toHaveLength(items.length)
  stop()
})

/** The first passes; everybody else when somebody before them is done. */
function createTurnstile() {
  const queue: (() => void)[] = []
  let free = 1
  return {
    async pass() {
      if (free > 0) free -= 1
      else await new Promise<void>((go) => queue.push(go))
    },
    let() {
      const next = queue.shift()
      if (next) next()
      else free += 1
    },
  }
}
