/*
 * A process of its own that attacks a server with accounts at their limits: `node hostile.mjs`, with a plan as JSON on
 * its standard input and how often each status was answered as JSON on its standard output.
 *
 * Each account sends batches of 100 of what costs the server most, as large as they are accepted, and six single calls
 * beside each. Once it is refused with 429 it goes on asking every second.
 */
import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * @typedef {{ token: string, role: 'sender' | 'driver', job: string, offers: string[] }} Account
 * @typedef {{ key: string, method: string, path: string, body?: object, after?: string[] }} Operation
 */

/** @type {{ origin: string, seconds: number, accounts: Account[] }} */
const plan = JSON.parse(await text(process.stdin))
const end = performance.now() + plan.seconds * 1_000
/** @type {Record<string, number>} */
const statuses = {}
const words = '€'.repeat(1_000)
const image = `${plan.origin}/api/images/`

await Promise.all(plan.accounts.map(attack))
process.stdout.write(JSON.stringify(statuses))

/** @param {Account} account */
async function attack(account) {
  for (let turn = 0; performance.now() < end; turn++) {
    const singles = Array.from({ length: 6 }, () => single(account))
    const isRefused = await batch(account, operationsOf(account, turn))
    await Promise.all(singles)
    if (isRefused) await pause(1_000)
  }
}

/** @param {Account} account @param {number} turn @returns {Operation[]} */
function operationsOf({ role, job, offers }, turn) {
  const operations = role === 'sender' ? requests() : drives(job, offers, turn)
  while (operations.length < 100) operations.push(operation('DELETE', `/sessions/${randomUUID()}`))
  return operations.slice(0, 100)
}

/** Requests of the largest texts, each cancelled. @returns {Operation[]} */
function requests() {
  /** @type {string[]} */
  let after = []
  return Array.from({ length: 25 }).flatMap(() => {
    const place = { text: words.slice(0, 200), note: words.slice(0, 200) }
    const create = operation(
      'POST',
      '/sender/deliveries',
      {
        ...{ itemDescription: words, pickupZone: 'Osu', dropoffZone: 'Tema', offer: 60 },
        ...{ recipientName: words.slice(0, 200), recipientPhone: '0240000000' },
        ...{ itemPhoto: image + 'a'.repeat(900), pickupPlace: place, dropoffPlace: place },
      },
      after,
    )
    const path = `/deliveries/${create.key}/status`
    const cancel = operation('PATCH', path, { status: 'Cancelled' }, [create.key])
    after = [cancel.key]
    return [create, cancel]
  })
}

/**
 * Photos, attempts and disputes about a job, cards, and jobs that are accepted and given back.
 * @param {string} job @param {string[]} offers @param {number} turn @returns {Operation[]}
 */
function drives(job, offers, turn) {
  const photo = (/** @type {number} */ n) => `${image}${turn}-${n}-${'b'.repeat(900)}`
  const offer = offers[turn % offers.length] ?? ''
  return [
    ...Array.from({ length: 8 }, () =>
      operation('POST', `/driver/deliveries/${job}/attempt`, { reason: 'absent', note: words }),
    ),
    ...Array.from({ length: 4 }, () =>
      operation('POST', '/disputes', {
        ...{ deliveryId: job, issue: words, type: 'driver_issue', priority: 'medium' },
      }),
    ),
    ...Array.from({ length: 40 }, (_, n) =>
      operation('PATCH', `/deliveries/${job}/status`, {
        ...{ status: 'Picked Up', proofOfDelivery: photo(n) },
      }),
    ),
    ...Array.from({ length: 10 }, (_, n) =>
      operation('PATCH', '/driver/card', { photo: photo(n) }),
    ),
    ...Array.from({ length: 4 }, () => [
      operation('PATCH', `/driver/deliveries/${offer}/accept`, {}),
      operation('POST', `/driver/deliveries/${offer}/release`, { reason: words }),
    ]).flat(),
  ]
}

/** @param {string} method @param {string} path @param {object} [body] @param {string[]} [after] @returns {Operation} */
function operation(method, path, body, after) {
  return { key: randomUUID(), method, path, body, after }
}

/** Whether the limit has refused some. @param {Account} account @param {Operation[]} operations */
async function batch({ token }, operations) {
  const answer = await fetch(`${plan.origin}/api/batch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ operations }),
  })
  const lines = (await answer.text()).split('\n').filter((line) => line !== '')
  const all = answer.ok ? lines.map((line) => JSON.parse(line).status) : [answer.status]
  for (const status of all) count(status)
  return all.includes(429)
}

/** @param {Account} account */
async function single({ token }) {
  const answer = await fetch(`${plan.origin}/api/sessions/${randomUUID()}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID() },
  })
  await answer.arrayBuffer()
  count(answer.status)
}

/** @param {number} status */
function count(status) {
  statuses[status] = (statuses[status] ?? 0) + 1
}
