import { join } from 'node:path'
import { build, type Rolldown } from 'vite'

/** Bundles `entry` and everything it imports into one script for a page. */
export async function bundle(entry: string): Promise<string> {
  const out = (await build({
    configFile: false,
    logLevel: 'warn',
    root: join(import.meta.dirname, '../..'),
    build: { write: false, lib: { entry, formats: ['iife'], name: 'bundled' } },
  })) as Rolldown.RolldownOutput[]
  const chunk = out[0]?.output[0]
  if (!chunk) throw new Error('Nothing was built')
  return chunk.code
}
