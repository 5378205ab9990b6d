/*
 * A process that opens many event streams: `node idle-streams.mjs <port> <count>` with their tokens on its
 * standard input, one a line, used in turn. It prints `open` once all are open. For every event that has
 * reached all of them it prints the milliseconds since 1970 at which the last of them had it.
 */
import { createConnection } from 'node:net'
import { text } from 'node:stream/consumers'

const [port = 0, count = 0] = process.argv.slice(2).map(Number)
const tokens = (await text(process.stdin)).trim().split('\n')
let open = 0
let heard = 0

for (let at = 0; at < count; at += 100)
  await Promise.all(
    Array.from({ length: Math.min(100, count - at) }, (_, one) => connect(at + one)),
  )
process.stdout.write('open\n')

/** @param {number} at */
function connect(at) {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ port, host: '127.0.0.1' }, () =>
      socket.write(
        `GET /api/events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${tokens[at % tokens.length]}\r\n\r\n`,
      ),
    )
    socket.setEncoding('utf8')
    let isOpen = false
    socket.on('data', (/** @type {string} */ data) => {
      if (!isOpen) {
        if (!data.startsWith('HTTP/1.1 200')) reject(new Error(data.slice(0, 100)))
        isOpen = true
        open++
        resolve(undefined)
      }
      if (!data.includes('"about":"delivery"')) return
      heard++
      if (heard % open === 0) process.stdout.write(`${Date.now()}\n`)
    })
    socket.on('error', reject)
  })
}
