import { createServer } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { limitConnections } from '#server/node/listen/listen.ts'
import { ask } from '../../../helpers/server/attacks.ts'

test('the connections of one address are limited', async () => {
  const http = createServer((_, answer) => answer.end('hello'))
  limitConnections(http, [], 3, () => false)
  await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening))
  const address = http.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const open = Array.from({ length: 3 }, () => connect(port, '127.0.0.1'))
  const url = `http://127.0.0.1:${port}/`
  const isServed = () =>
    ask(url).then(
      () => true,
      () => false,
    )
  await expect.poll(isServed).toBe(false)
  expect((await ask(url, { from: '127.0.0.5' })).text).toBe('hello')
  open[0]?.destroy()
  await expect.poll(isServed).toBe(true)
  for (const socket of open) socket.destroy()
  await new Promise((closed) => http.close(closed))
})
