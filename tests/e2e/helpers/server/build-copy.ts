import { createHash } from 'node:crypto'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { removalFor } from '../../../helpers/sources/newer-apis.ts'

const project = join(import.meta.dirname, '../../../..')

/** A copy of the build that a test may change, laid out as the server expects it. */
export function copyOfBuild(): string {
  const root = mkdtempSync(join(tmpdir(), 'soma-release-'))
  cpSync(join(project, 'dist/app'), join(root, 'dist/app'), { recursive: true })
  cpSync(join(project, 'dist/server'), join(root, 'dist/server'), { recursive: true })
  mkdirSync(join(root, 'src/server/postgres'), { recursive: true })
  symlinkSync(
    join(project, 'src/server/postgres/migrations'),
    join(root, 'src/server/postgres/migrations'),
  )
  symlinkSync(join(project, 'node_modules'), join(root, 'node_modules'))
  return root
}

/** A copy of the build whose pages and workers find no API that the oldest browsers lack. */
export function buildForOldest(): string {
  const root = copyOfBuild()
  const app = join(root, 'dist/app')
  const change = (file: string, by: (text: string) => string) => {
    const text = by(readFileSync(join(app, file), 'utf8'))
    writeBuilt(join(app, file), text)
    return text
  }
  const scripts = readdirSync(app, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(js|html)$/.test(name),
  )
  const removal = removalFor(scripts.map((name) => readFileSync(join(app, name), 'utf8')).join())
  for (const file of scripts.filter((name) => /^(h\/sw|assets\/recipient-.*)\.js$/.test(name)))
    change(file, (text) => removal + text)
  const page = change('index.html', (text) => text.replace('<script>', () => `<script>${removal}`))
  change('sw.js', (text) => removal + withIntegrity(text, page))
  return root
}

/** The worker's script when it lists a page of this text. */
export function withIntegrity(worker: string, page: string): string {
  const listed = /(index\.html.{1,20}?)sha256-[\w+/=]+/
  if (!listed.test(worker)) throw new Error('The worker does not list the page')
  const hash = createHash('sha256').update(page).digest('base64')
  return worker.replace(listed, `$1sha256-${hash}`)
}

/** Writes a file and its compressed forms, as the build does. */
export function writeBuilt(file: string, text: string): void {
  writeFileSync(file, text)
  writeFileSync(`${file}.br`, brotliCompressSync(text))
  writeFileSync(`${file}.gz`, gzipSync(text))
}
