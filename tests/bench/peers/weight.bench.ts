import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { expect, test } from '@playwright/test'
import type { openSoma } from '#sync/open.ts'
import { inFreshProfile, peersServer } from './bench.ts'
import { chunks } from './bundles.ts'
import { askAt, sender } from './rows.ts'
import { measure } from './table.ts'

const server = peersServer()

const entry = join(import.meta.dirname, 'ours/weight.ts')
/** Dexie, and what the bundler itself adds for loading the rest. */
const apart = {
  name: 'apart',
  test: (module: string) => module.includes('/dexie/') || module.startsWith('\0'),
}

test('The engine’s weight without Dexie', async () => {
  const used = await modulesOfASender()
  const within = (module: string) => used.has(module)
  const packed = await chunks(entry, [
    apart,
    { name: 'packages', test: (module) => within(module) && module.includes('/node_modules/') },
    { name: 'engine', test: within },
  ])
  const ours = packed.filter(
    ({ name, isEntry }) => isEntry || ['packages', 'engine'].includes(name),
  )
  const work = 'weight without Dexie, brotli'
  const parts = ours.map(({ name, code }) => `${name} ${brotli(code).toFixed(1)}`).join(', ')
  const note = `${parts} kB; packages are zod/mini and uuid.`
  const sum = ours.reduce((total, { code }) => total + brotli(code), 0)
  measure({ work, against: 'its limit', target: 12, unit: 'kB', note }, [sum])

  const [theirs] = await chunks(join(import.meta.dirname, 'theirs/weight.ts'))
  const zipped = `${(gzipSync(theirs?.code ?? '').length / 1_000).toFixed(1)} kB by gzip.`
  measure({ work, against: 'TanStack and its db', unit: 'kB', note: zipped }, [
    brotli(theirs?.code ?? ''),
  ])
})

const brotli = (code: string) => brotliCompressSync(code).length / 1_000

/** What a client that sends, pulls and comes back really loads. */
async function modulesOfASender(): Promise<Set<string>> {
  const files = await chunks(entry, [apart])
  for (const { fileName, code } of files)
    server().files.set(`/${fileName}`, { type: 'text/javascript', body: code })
  server().reset({ rows: 10 })
  await inFreshProfile(async (context) => {
    const page = await context.newPage()
    await page.goto(server().origin)
    await page.addScriptTag({ url: `/${files[0]?.fileName}`, type: 'module' })
    await page.waitForFunction(() => 'openSoma' in globalThis)
    await page.evaluate(sendAndPull, { sender, draft: { ...askAt(0), offer: '60' } })
  })
  expect(server().effects(1)).toMatchObject({ happened: 1, lost: 0 })
  const loaded = files.filter(({ fileName }) => server().asked.includes(`/${fileName}`))
  expect(loaded.length).toBeLessThan(files.length)
  return new Set(loaded.flatMap(({ moduleIds }) => moduleIds))
}

type Given = {
  sender: typeof sender
  draft: Omit<ReturnType<typeof askAt>, 'offer'> & { offer: string }
}

/** In the page: pulls, sends, and comes back to a store that holds something. */
async function sendAndPull({ sender: user, draft }: Given): Promise<void> {
  const { openSoma: open } = globalThis as unknown as { openSoma: typeof openSoma }
  const base = `${location.origin}/api`
  for (const visit of [1, 2]) {
    const soma = open({ base })
    await soma.db.open()
    await soma.db.sessions.put({ key: 'current', account: user.ID, token: 'token', user })
    if (visit === 1) {
      const { itemPhoto, ...asked } = draft
      const photo = await soma.commands.keepPhoto(new ArrayBuffer(8), 'image/jpeg')
      await soma.db.photos.update(photo, { url: itemPhoto })
      await soma.commands.requestDelivery({ ...asked, photo }, 'guest')
    }
    await soma.engine.start()
    if ((await soma.db.outbox.where('state').equals('done').count()) !== 1)
      throw new Error('Not sent')
    if ((await soma.db.pulls.get([user.ID, 'sent'])) === undefined) throw new Error('Not pulled')
    await soma.engine.stop()
    soma.db.close()
  }
}
