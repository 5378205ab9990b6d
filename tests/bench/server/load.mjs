/*
 * A process of its own that loads a server: `node load.mjs`, with a plan as JSON on its standard input and
 * the outcome as JSON on its standard output.
 *
 * Each client sends one request after the other over a connection of its own, with a new request key each.
 * `{id}` stands in paths and bodies for the ID that `md5('<name> <client> <turn>')` gives. With `addresses`
 * every request comes from another address, as behind a proxy.
 */
import { createHash, randomInt, randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'

/**
 * @typedef {{ method: string, path: string, body?: object, etag?: string, keyed?: boolean }} Call
 * @typedef {{ port: number, clients: number, seconds?: number, cycles?: number, name: string, tokens?: string[], addresses?: boolean, cycle: Call[] }} Plan
 * @typedef {{ calls: number, seconds: number, cycles: number, millis: number[][], failures: Record<string, number> }} Outcome
 */

/** @type {Plan} */
const plan = JSON.parse(await text(process.stdin))
const agent = new Agent({ keepAlive: true, maxSockets: plan.clients })
/** @type {number[][]} */
const millis = plan.cycle.map(() => [])
/** @type {Record<string, number>} */
const failures = {}
let cycles = 0

const began = performance.now()
const end = began + (plan.seconds ?? 3_600) * 1000
let left = plan.cycles ?? Number.POSITIVE_INFINITY
await Promise.all(Array.from({ length: plan.clients }, (_, client) => run(client)))
const seconds = (performance.now() - began) / 1000
agent.destroy()
const calls = millis.reduce((sum, each) => sum + each.length, 0)
process.stdout.write(JSON.stringify({ calls, seconds, cycles, millis, failures }))

/** @param {number} client */
async function run(client) {
  for (let turn = 0; performance.now() < end && left-- > 0; turn++) {
    const id = uuidOf(`${plan.name} ${client} ${turn}`)
    const token = plan.tokens?.[client]
    const address = plan.addresses ? `10.${turn >> 8}.${turn & 255}.${client}` : undefined
    for (const [at, each] of plan.cycle.entries()) {
      const startedAt = performance.now()
      const { status, reason } = await call(each, { id, token, address })
      millis[at]?.push(performance.now() - startedAt)
      if (status < 400) continue
      const failure = `${each.method} ${each.path}: ${status} ${reason}`
      failures[failure] = (failures[failure] ?? 0) + 1
      if (Object.keys(failures).length > 20) return
    }
    cycles++
  }
}

/**
 * @param {Call} call
 * @param {{ id: string, token?: string, address?: string }} by
 * @returns {Promise<{ status: number, reason: string }>}
 */
function call({ method, path, body, etag }, { id, token, address }) {
  const headers = {
    ...(body ? { 'content-type': 'application/json' } : {}),
    ...(method === 'GET' ? {} : { 'idempotency-key': randomUUID() }),
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...(address ? { 'x-forwarded-for': address } : {}),
    ...(etag ? { 'if-none-match': etag } : {}),
  }
  const where = { host: '127.0.0.1', port: plan.port, path: path.replace('{id}', id) }
  return new Promise((resolve, reject) => {
    const sent = request({ ...where, method, agent, headers }, async (response) => {
      const status = response.statusCode ?? 0
      const answer = await text(response)
      resolve({ status, reason: status < 400 ? '' : answer.slice(0, 80) })
    })
    sent.on('error', reject)
    sent.end(body && JSON.stringify(ofNewGuest(body)))
  })
}

/**
 * A guest's request from another number each time: one that is not confirmed has few open requests (R151).
 * @param {object} body
 */
function ofNewGuest(body) {
  if (!('senderPhone' in body)) return body
  return { ...body, senderPhone: `024${randomInt(1_000_000, 10_000_000)}` }
}

/** @param {string} words */
function uuidOf(words) {
  const hex = createHash('md5').update(words).digest('hex')
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5')
}
