import { createHash, randomBytes, randomInt } from 'node:crypto'
import { get, type IncomingMessage, request } from 'node:http'
import { expect, test } from '@playwright/test'
import pg from 'pg'
import { type AppServer, startAppServer } from '../../helpers/server/app-server.ts'
import { runs } from './bench.ts'
import { measure } from './table.ts'

const streams = 1_000
/** Of these so many look at the route of the new jobs. */
const onRoute = 50
const perDriver = 10
/** Jobs of one measurement: the reading of the meter itself is then small. */
const jobs = 40

test('CPU of the server for one new job with 1,000 event streams open', async () => {
  test.setTimeout(300_000)
  const server = await startAppServer({ env: { LOG_LEVEL: 'error' } })
  try {
    const tokens = await addDrivers(server, streams / perDriver)
    const heard = { news: 0, adverts: 0 }
    const open = await openStreams(server, tokens, heard)
    // What the first calls compile is not counted.
    await postJobs(server, heard)
    const spent: number[] = []
    for (let run = 0; run < runs; run++) {
      heard.news = 0
      heard.adverts = 0
      const before = await meters(server)
      await postJobs(server, heard)
      const after = await meters(server)
      spent.push(((after.cpu - before.cpu) * 1_000) / jobs)
      // Those who look at the route got the advert, nobody else anything, and nobody had to ask.
      expect([heard.news, heard.adverts]).toEqual([jobs * onRoute, jobs * onRoute])
      expect(after.answers - before.answers).toBe(jobs)
    }
    const note = `${onRoute} streams are on its route; 0 requests follow.`
    const against = `${streams.toLocaleString('en')} streams open`
    measure({ work: 'server CPU for one new job', against, target: 10, unit: 'ms', note }, spent)
    for (const each of open) each.destroy()
  } finally {
    await server.stop()
  }
})

/** Writes approved drivers with a session each; returns their tokens. */
async function addDrivers({ database }: AppServer, count: number): Promise<string[]> {
  const client = new pg.Client(database())
  await client.connect()
  const tokens: string[] = []
  for (let n = 0; n < count; n++) {
    const token = `u_${randomBytes(32).toString('base64url')}`
    await client.query(
      `with added as (
         insert into users (id, name, email, email_key, phone, role, verified, driver_status, password_hash, created_at)
         values (gen_random_uuid(), $1, $2, $2, $3, 'driver', true, 'approved', 'nobody', now()) returning id
       ) insert into sessions (hash, user_id, used_at) select $4, id, now() from added`,
      [`Driver ${n}`, `driver.${n}@example.com`, `02${`${n}`.padStart(8, '0')}`, sha256(token)],
    )
    tokens.push(token)
  }
  await client.end()
  return tokens
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

async function openStreams(
  { origin }: AppServer,
  tokens: string[],
  heard: { news: number; adverts: number },
): Promise<IncomingMessage[]> {
  const open: IncomingMessage[] = []
  for (let n = 0; n < streams; n++) {
    const route = n % (streams / onRoute) === 0 ? 'Osu|Tema' : `Madina|${n % 2 ? 'Circle' : 'Tema'}`
    const headers = { authorization: `Bearer ${tokens[Math.floor(n / perDriver)]}` }
    const url = `${origin}/api/events?route=${encodeURIComponent(route)}`
    const response = await new Promise<IncomingMessage>((resolve, reject) =>
      get(url, { headers, agent: false }, resolve).on('error', reject),
    )
    expect(response.statusCode).toBe(200)
    response.setEncoding('utf8').on('data', (text: string) => {
      heard.news += text.split('event: news').length - 1
      heard.adverts += text.split('"job":{').length - 1
    })
    open.push(response)
  }
  return open
}

/** Guests ask for deliveries, one after the other; each is heard of before the next. */
async function postJobs({ origin }: AppServer, heard: { news: number }) {
  const start = heard.news
  for (let n = 1; n <= jobs; n++) {
    await postJob(origin)
    for (let wait = 0; wait < 1_000 && heard.news < start + n * onRoute; wait++)
      await new Promise((later) => setTimeout(later, 2))
  }
}

function postJob(origin: string): Promise<void> {
  const body = JSON.stringify({
    itemDescription: 'Documents',
    pickupZone: 'Osu',
    dropoffZone: 'Tema',
    offer: 60,
    recipientName: 'Esi',
    recipientPhone: '0550000001',
    itemPhoto: `${origin}/api/images/${'ab'.repeat(32)}.jpg`,
    senderName: 'Kofi',
    senderPhone: `024${randomInt(1_000_000, 10_000_000)}`,
  })
  const headers = { 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const asked = request(`${origin}/api/guest/deliveries`, { method: 'POST', headers })
    asked.on('error', reject).on('response', (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === 201) resolve()
        else reject(new Error(`A job was answered with ${response.statusCode}`))
      })
    })
    asked.end(body)
  })
}

/** The process's CPU time in seconds (`process.cpuUsage`), and how many calls it has answered. */
async function meters({ origin }: AppServer): Promise<{ cpu: number; answers: number }> {
  const text = await (await fetch(`${origin}/metrics`)).text()
  const cpu = Number(text.match(/^process_cpu_seconds_total (\S+)/m)?.[1])
  const answers = [...text.matchAll(/^soma_answers_total\{.*\} (\d+)/gm)]
  return { cpu, answers: answers.reduce((sum, [, count]) => sum + Number(count), 0) }
}
