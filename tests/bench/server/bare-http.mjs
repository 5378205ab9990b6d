/*
 * The least that a server in Node.js does: `node bare-http.mjs` prints its port, and answers `/304` with
 * 304 and every other path with the JSON that it got on its standard input.
 */
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

const body = JSON.parse(await text(process.stdin))
const server = createServer((request, response) => {
  if (request.url === '/304') return void response.writeHead(304).end()
  const answer = JSON.stringify(body)
  response.writeHead(200, { 'content-type': 'application/json' }).end(answer)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`)
})
