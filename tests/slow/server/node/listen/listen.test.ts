import { lstat, readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { photoForm, picture } from '../../../../helpers/pictures.ts'
import { admin } from '../../../../helpers/server/app-server.ts'
import { ask, formBytes, openStalledReader } from '../../../../helpers/server/attacks.ts'
import { processes } from '../../../../helpers/server/processes.ts'
import { present } from '../../../../helpers/server/server.ts'

/* The built server: time-outs, and file permissions with its embedded database. */

const { started } = processes()

test('other users of the machine cannot read the server’s files', async () => {
  const { server } = await started()
  const form = await formBytes(photoForm(await picture(), 'soma'))
  expect((await ask(`${server.origin}/api/images/upload`, form)).status).toBe(200)
  const secret = await formBytes(photoForm(await picture(), 'soma-id'))
  expect((await ask(`${server.origin}/api/images/upload`, secret)).status).toBe(200)
  const own = present(process.getuid)()
  const found = ['.', ...(await readdir(server.dataDir, { recursive: true }))]
  expect(found.some((path) => path.startsWith('images/private'))).toBe(true)
  for (const path of found) {
    const about = await lstat(join(server.dataDir, path)).catch(() => undefined)
    // PostgreSQL creates and removes files all the time.
    if (!about) continue
    const open = about.mode & 0o077
    // PostgreSQL runs as another user when this runs as root, and must reach its folder.
    const isOnTheWay = path === '.' && own === 0
    expect(isOnTheWay ? open & 0o066 : open, `${path} ${(about.mode & 0o777).toString(8)}`).toBe(0)
  }
})

test('a connection that never completes a request or never reads its response is closed; an event stream is not', async () => {
  const { server, ask: call } = await started({ LIMITS: '{"uploads":1000}' })
  const photo = await picture('jpeg', { width: 1_600, height: 1_600 })
  const form = await formBytes(photoForm(photo, 'soma'))
  const { secure_url } = JSON.parse((await ask(`${server.origin}/api/images/upload`, form)).text)
  const token = present((await call('login', { body: admin })).value).token

  const headers = { authorization: `Bearer ${token}` }
  const news = await fetch(`${server.origin}/api/events`, { headers })
  const heard: string[] = []
  let isListening = true
  void (async () => {
    const decoder = new TextDecoder()
    for await (const piece of present(news.body)) heard.push(decoder.decode(piece))
    isListening = false
  })()

  const reader = openStalledReader(server, new URL(secure_url).pathname, 30)
  const unfinished = connect(server.port, '127.0.0.1')
  const unfinishedBody = connect(server.port, '127.0.0.1')
  const closed = new Set<string>()
  for (const [name, socket] of Object.entries({ reader, unfinished, unfinishedBody })) {
    socket.on('error', () => undefined)
    socket.on('close', () => closed.add(name))
  }
  unfinished.on('data', () => undefined)
  unfinishedBody.on('data', () => undefined)
  unfinished.write('GET / HTTP/1.1\r\nHost: soma.test\r\n')
  unfinishedBody.write('POST /api/login HTTP/1.1\r\nHost: soma.test\r\nContent-Length: 99\r\n\r\n{')
  const dribble = setInterval(() => unfinished.write('X-A: b\r\n'), 1_000)
  // Nothing is read from the socket, so only a failed write shows that it was closed.
  const probe = setInterval(() => reader.write('\r\n'), 1_000)
  await expect
    .poll(() => [...closed].sort(), { timeout: 150_000, interval: 1_000 })
    .toEqual(['reader', 'unfinished', 'unfinishedBody'])
  clearInterval(dribble)
  clearInterval(probe)
  expect(isListening).toBe(true)
  await call('addZone', { token, body: { name: 'Far Away' } })
  await expect.poll(() => heard.join('')).toContain('"about":"zones"')
  await news.body?.cancel().catch(() => undefined)
})
