import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** @typedef {Awaited<ReturnType<typeof startVictim>>} Victim */
/** @typedef {{ token?: string, body?: unknown, headers?: Record<string, string> }} About */
/** @typedef {{ status: number, body: any, headers: Headers }} Reply */

const password = 'correct horse battery'
const photo = `/api/images/${'ab'.repeat(32)}.jpg`

/** Starts the server of a checkout on an empty data folder; returns functions that call it. @param {string} root @param {string} dataDir */
export async function startVictim(root, dataDir) {
  chmodSync(dataDir, 0o755)
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  /** @type {string[]} */
  const lines = []
  const child = spawn(process.execPath, [join(root, 'dist/server/main.js')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      DATA_DIR: dataDir,
      PUBLIC_ORIGIN: origin,
      ADMIN_EMAIL: 'admin@soma.test',
      ADMIN_PASSWORD: password,
      // A server of an earlier version does not know it, and counts the caller's own address.
      TRUST_PROXY: '127.0.0.1/32',
    },
  })
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => lines.push(...text.split('\n')))
  await ready(origin, lines)

  /** @param {string} method @param {string} path @param {About} about @returns {Promise<Reply>} */
  async function call(method, path, { token, body, headers = {} } = {}) {
    const answer = await fetch(`${origin}/api${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const text = await answer.text()
    return { status: answer.status, body: text ? JSON.parse(text) : {}, headers: answer.headers }
  }

  let count = 0
  /** A new client address each time, so that no limit is reached before the attack. */
  const elsewhere = () => ({ 'x-forwarded-for': `198.18.${count >> 8}.${count++ & 255}` })

  /** @param {string} phone */
  async function codeSentTo(phone) {
    for (let tries = 0; tries < 60; tries++) {
      const line = lines.findLast(
        (each) => each.includes(phone.slice(-9)) && /\b\d{6}\b/.test(each),
      )
      if (line) return /(?<!\d)\d{6}(?!\d)/.exec(line)?.[0] ?? ''
      await pause(50)
    }
    throw new Error(`no code for ${phone}`)
  }

  /** @param {'sender' | 'driver'} role @param {object} [over] */
  async function signUp(role, over = {}) {
    // Each under a prefix of its own: the SMS of a day are limited by it.
    const phone = `024${String(count % 1000).padStart(3, '0')}${1000 + count}`
    const email = `${role}${phone}@example.com`
    const driverFields = { idType: 'passport', idNumber: 'AB123456', idPhoto: origin + photo }
    const body = {
      name: `${role} ${count}`,
      email,
      password,
      phone_number: phone,
      role,
      ...(role === 'driver' ? driverFields : {}),
      ...over,
    }
    const made = await call('POST', '/signup', { body, headers: elsewhere() })
    const code = await codeSentTo(phone)
    await call('POST', '/verify/confirm', { body: { phone_number: phone, code } })
    return { email, phone, token: made.body.token, id: made.body.user?.ID }
  }

  const admin = async () =>
    (
      await call('POST', '/login', {
        body: { email: 'admin@soma.test', password },
        headers: elsewhere(),
      })
    ).body.token

  async function approvedDriver() {
    const driver = await signUp('driver')
    const token = await admin()
    await call('PATCH', `/admin/drivers/${driver.id}`, { token, body: { status: 'approved' } })
    return driver
  }

  /** @param {object} [over] */
  const request = (over = {}) => ({
    itemDescription: 'Documents',
    pickupZone: 'Osu',
    dropoffZone: 'Tema',
    offer: 60,
    recipientName: 'Esi Recipient',
    recipientPhone: '0551234567',
    itemPhoto: origin + photo,
    ...over,
  })

  return {
    origin,
    port,
    lines,
    dataDir,
    password,
    call,
    elsewhere,
    codeSentTo,
    signUp,
    admin,
    approvedDriver,
    request,
    key: () => randomUUID(),
    /** Resident memory in MiB. */
    memory: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    async stop() {
      const gone = new Promise((done) => child.once('exit', done))
      child.kill('SIGTERM')
      const insist = setTimeout(() => child.kill('SIGKILL'), 20_000)
      await gone
      clearTimeout(insist)
    },
  }
}

/** @param {string} origin @param {string[]} lines */
async function ready(origin, lines) {
  for (let tries = 0; tries < 600; tries++) {
    const answer = await fetch(`${origin}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    await pause(50)
  }
  throw new Error(`The server did not start:\n${lines.slice(-10).join('\n')}`)
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((found) => {
    const probe = createServer()
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => found(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
