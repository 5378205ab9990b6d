import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { v7 } from 'uuid'
import { afterEach, describe, expect, test } from 'vitest'
import { photoForm, picture } from '../../../../helpers/pictures.ts'
import { hasProgram } from '../../../../helpers/programs.ts'
import { type AppServer, admin, freePort } from '../../../../helpers/server/app-server.ts'
import { ask, formBytes } from '../../../../helpers/server/attacks.ts'
import { otlpReceiver } from '../../../../helpers/server/otlp-receiver.ts'
import { processes } from '../../../../helpers/server/processes.ts'
import { present } from '../../../../helpers/server/server.ts'

/* The configuration of src/server/deploy with another host name, ports and certificate. */

const deployed = join(import.meta.dirname, '../../../../../src/server/deploy')
const { started } = processes()

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

type Place = {
  folder: string
  app: number
  /** A port at which nothing listens: the other server is being restarted. */
  dead: number
  port: number
  /** For http. */
  plainPort: number
  certificate: string
  key: string
}

/** The file with each text replaced; throws when one is missing. */
function configuration(name: string, replacements: [string, string][]): string {
  let text = readFileSync(join(deployed, name), 'utf8')
  for (const [from, to] of replacements) {
    expect(text).toContain(from)
    text = text.replaceAll(from, to)
  }
  return text
}

async function startNginx({
  folder,
  app,
  dead,
  port,
  plainPort,
  certificate,
  key,
}: Place): Promise<ChildProcess> {
  const site = configuration('nginx.conf', [
    ['/etc/letsencrypt/live/soma.example/fullchain.pem', certificate],
    ['/etc/letsencrypt/live/soma.example/privkey.pem', key],
    [
      'server 127.0.0.1:8080 max_fails',
      `server 127.0.0.1:${dead} max_fails=1 fail_timeout=1s;\n\tserver 127.0.0.1:${app} max_fails`,
    ],
    ['listen 80;', `listen 127.0.0.1:${plainPort};`],
    ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
    ['server_name soma.example', 'server_name localhost'],
  ])
  writeFileSync(join(folder, 'soma.conf'), site)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const lines = [
    'daemon off; worker_processes 1;',
    process.getuid?.() === 0 ? 'user root;' : '',
    `pid ${folder}/nginx.pid; error_log ${folder}/error.log;`,
    'events { worker_connections 256; }',
    'http { access_log off;',
    ...temporary.map((name) => `${name}_temp_path ${folder}/${name};`),
    `include ${folder}/soma.conf; }`,
  ]
  writeFileSync(join(folder, 'nginx.conf'), lines.join('\n'))
  return spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' })
}

async function startCaddy({
  folder,
  app,
  dead,
  port,
  plainPort,
  certificate,
  key,
}: Place): Promise<ChildProcess> {
  const site = configuration('Caddyfile', [
    [
      '{$SITE:soma.example} {',
      `{$SITE:soma.example} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}\n`,
    ],
  ])
  const global = `{\n\tadmin off\n\thttp_port ${plainPort}\n\thttps_port ${port}\n}\n`
  writeFileSync(join(folder, 'Caddyfile'), global + site)
  const upstreams = `127.0.0.1:${dead} 127.0.0.1:${app}`
  const folders = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const env = { ...process.env, ...folders, SITE: 'localhost', UPSTREAMS: upstreams }
  const args = ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')]
  return spawn('caddy', args, { stdio: 'ignore', env })
}

function makeCertificate(folder: string): Pick<Place, 'certificate' | 'key'> {
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const made = ['-keyout', key, '-out', certificate, '-days', '2', '-nodes', ...subject]
  const { status } = spawnSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', ...made])
  expect(status).toBe(0)
  return { certificate, key }
}

/** Ends the program, by force if it waits for connections. */
async function ended(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = new Promise((exited) => child.once('exit', exited))
  child.kill('SIGTERM')
  const insist = setTimeout(() => child.kill('SIGKILL'), 3_000)
  await exit
  clearTimeout(insist)
}

const programs = [
  ['nginx', startNginx],
  ['caddy', startCaddy],
] as const

async function behindProxy(startProxy: (place: Place) => Promise<ChildProcess>): Promise<{
  server: AppServer
  origin: string
  plainPort: number
  token: string
  collector: Awaited<ReturnType<typeof otlpReceiver>>
}> {
  const [port, plainPort, dead] = [await freePort(), await freePort(), await freePort()]
  const collector = await otlpReceiver()
  ends.push(collector.close)
  const { server, ask: call } = await started({
    PUBLIC_ORIGIN: 'https://localhost',
    TRUST_PROXY: '127.0.0.1/32',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_BSP_SCHEDULE_DELAY: '100',
    LIMITS: '{"uploads":2}',
  })
  const folder = mkdtempSync(join(tmpdir(), 'soma-proxy-'))
  ends.push(() => rmSync(folder, { recursive: true, force: true }))
  const proxy = await startProxy({
    folder,
    app: server.port,
    dead,
    port,
    plainPort,
    ...makeCertificate(folder),
  })
  ends.push(() => ended(proxy))
  const origin = `https://localhost:${port}`
  const isUp = () =>
    ask(`${origin}/healthz`, { from: '127.0.0.20' }).then(
      ({ status }) => status,
      () => 0,
    )
  await expect.poll(isUp).toBe(200)
  const token = present((await call('login', { body: admin })).value).token
  return { server, origin, plainPort, token, collector }
}

describe.each(programs)('behind %s', (program, startProxy) => {
  test.runIf(hasProgram(program))(
    'http leads to https, clients have their own addresses and choose neither these nor traces, photos and events pass, a server that is away is left out',
    async () => {
      const { origin, plainPort, token, collector } = await behindProxy(startProxy)
      const page = await ask(`${origin}/`, { from: '127.0.0.20' })
      expect(page.status).toBe(200)
      expect(page.headers['strict-transport-security']).toBe('max-age=31536000')

      const plain = await fetch(`http://127.0.0.1:${plainPort}/send`, {
        headers: { host: 'localhost' },
        redirect: 'manual',
      })
      expect([301, 308]).toContain(plain.status)
      expect(plain.headers.get('location')).toMatch(/^https:\/\/[^/]+\/send$/)
      // One of the two servers does not run.
      const logins = async () => {
        const headers = { 'content-type': 'application/json' }
        const login = { method: 'POST', headers, body: JSON.stringify(admin) }
        const answers = Array.from({ length: 12 }, () => ask(`${origin}/api/login`, login))
        return (await Promise.all(answers)).map(({ status }) => status)
      }
      await expect.poll(logins).toEqual(Array(12).fill(200))
      expect(await logins()).toEqual(Array(12).fill(200))
      const traceId = '0af7651916cd43dd8448eb211c80319c'
      await ask(`${origin}/api/items`, {
        headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` },
      })
      await expect.poll(() => collector.spans().map(({ name }) => name)).toContain('items')
      expect(collector.text()).not.toContain(traceId)

      // The limit is two uploads from one address.
      const form = await formBytes(
        photoForm(await picture('jpeg', { width: 1_200, height: 900 }), 'soma'),
      )
      const upload = (from: string, forwarded?: string) => {
        const spoofed: Record<string, string> = forwarded ? { 'x-forwarded-for': forwarded } : {}
        return ask(`${origin}/api/images/upload`, {
          ...form,
          headers: { ...form.headers, ...spoofed },
          from,
        })
      }
      const kept = await upload('127.0.0.21')
      expect(kept.status).toBe(200)
      const photo = new URL(JSON.parse(kept.text).secure_url).pathname
      expect((await ask(origin + photo, { from: '127.0.0.22' })).headers['content-type']).toBe(
        'image/jpeg',
      )
      expect((await upload('127.0.0.21', '203.0.113.1')).status).toBe(200)
      for (const other of ['203.0.113.2', '127.0.0.1', '203.0.113.3, 127.0.0.1'])
        expect((await upload('127.0.0.21', other)).status, other).toBe(429)
      expect((await upload('127.0.0.22')).status).toBe(200)

      // The proxy or the server refuses what is too large; neither fails.
      const large = { ...form, body: new Uint8Array(11_600_000) }
      const refused = await ask(`${origin}/api/images/upload`, {
        ...large,
        from: '127.0.0.23',
      }).catch(() => ({ status: 413 }))
      expect(refused.status).toBe(413)
      // Metrics are never shown through a proxy.
      expect((await ask(`${origin}/metrics`, { from: '127.0.0.20' })).status).toBe(404)

      const heard = await openEvents(`${origin}/api/events`, token)
      await expect.poll(heard).toContain('event: hello')
      const added = await ask(`${origin}/api/admin/zones`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ name: 'Far Away' }),
        from: '127.0.0.20',
      })
      expect(added.status).toBe(201)
      await expect.poll(heard).toContain('"about":"zones"')
    },
  )
})

describe.each(programs)('a batch behind %s', (program, startProxy) => {
  test.runIf(hasProgram(program))(
    'R89: each line of a batch passes the proxy before the next operation is done',
    async () => {
      const { origin, token } = await behindProxy(startProxy)
      // One person's operations run one after the other.
      const operations = Array.from({ length: 60 }, (_, at) => ({
        key: v7(),
        method: 'POST',
        path: '/admin/items',
        body: { name: `Item ${at}` },
      }))
      const chunks = await chunksOf(`${origin}/api/batch`, token, JSON.stringify({ operations }))
      const lines = chunks.join('').trim().split('\n')
      expect(lines.map((line) => JSON.parse(line).status)).toEqual(Array(60).fill(201))
      expect(chunks.length).toBeGreaterThan(5)
    },
  )
})

/** What a POST is answered with, piece by piece. */
function chunksOf(url: string, token: string, body: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const how = { method: 'POST', headers, rejectUnauthorized: false, agent: false }
    const sending = request(url, how, (answer) => {
      const chunks: string[] = []
      answer.setEncoding('utf8').on('data', (text: string) => chunks.push(text))
      answer.on('end', () => resolve(chunks))
      answer.on('error', reject)
    })
    sending.on('error', reject)
    sending.end(body)
  })
}

/** Everything an event stream has sent so far. */
function openEvents(url: string, token: string): Promise<() => string> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` }
    const sending = request(url, { headers, rejectUnauthorized: false, agent: false }, (answer) => {
      let heard = ''
      answer.setEncoding('utf8').on('data', (text: string) => {
        heard += text
      })
      answer.on('error', () => undefined)
      resolve(() => heard)
    })
    ends.push(() => void sending.destroy())
    sending.on('error', reject)
    sending.end()
  })
}
