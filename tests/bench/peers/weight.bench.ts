import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { expect, test } from '@playwright/test'
import type { openSoma } from '#store/open.ts'
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

/** What is Soma's and nobody else's: its rules, its calls, what its people can do and see. */
const ofTheProduct =
  /\/src\/(domain|operations|store)\/|\/src\/contract\/(?!calls\/call|wire-errors|transport|version)/

/** What the engine does and no peer does: it is a part of its weight, and named beside it. */
const ofNoPeer = /\/src\/sync\/(events\/|push\/upload|platform\/upload)/

test('The engine’s weight without Dexie', async () => {
  const used = await modulesOfASender()
  const isOurs = (module: string) => used.has(module) && !module.includes('/node_modules/')
  const packed = await chunks(entry, [
    apart,
    { name: 'packages', test: (module) => used.has(module) && !isOurs(module) },
    { name: 'product', test: (module) => isOurs(module) && ofTheProduct.test(module) },
    { name: 'alone', test: (module) => isOurs(module) && ofNoPeer.test(module) },
    { name: 'engine', test: isOurs },
  ])
  const codeOf = (name: string) => {
    const files = packed.filter((file) => file.name === name || (name === 'engine' && file.isEntry))
    expect(files.length).toBeGreaterThan(0)
    return files.map(({ code }) => code).join('\n')
  }
  const common = brotli(codeOf('engine'))
  const engine = brotli(codeOf('engine') + codeOf('alone'))
  const [product, packages] = [brotli(codeOf('product')), brotli(codeOf('packages'))]
  const about = { work: 'weight without Dexie, brotli', unit: 'kB' as const }
  measure({ ...about, against: 'its limit', note: engineNote }, [engine])
  measure({ ...about, work: 'the same without pushed news and uploads', against: '' }, [common])
  const note = `rules, calls, commands and queries ${product.toFixed(1)} kB, zod/mini and uuid ${packages.toFixed(1)} kB.`
  measure({ ...about, work: 'the same with the whole product', against: '', note }, [
    engine + product + packages,
  ])

  const [theirs] = await chunks(join(import.meta.dirname, 'theirs/weight.ts'))
  const zipped = `${(gzipSync(theirs?.code ?? '').length / 1_000).toFixed(1)} kB by gzip.`
  measure({ ...about, against: 'TanStack and its db', note: zipped }, [brotli(theirs?.code ?? '')])
})

const engineNote =
  'the engine is src/sync and how src/contract tells answers apart, pushed news and uploads with them, but not what a peer leaves to its user: the calls, lists and account of src/store.'

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
  expect(loaded.length).toBeGreaterThan(1)
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
      const photo = await soma.commands.savePhoto(new ArrayBuffer(8), 'image/jpeg')
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
