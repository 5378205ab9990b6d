import { v7 } from 'uuid'
import { inject } from 'vitest'
import { demoPasswords } from '#demo/backend/passwords.ts'
import { openDexieRepo } from '#demo/backend/repo.ts'
import { looseLimits } from '#server/limits/rate-limits.ts'
import type { Ports, SmsMessage } from '#server/ports/ports.ts'
import type { Repo } from '#server/ports/repo.ts'
import { loadSecrets } from '#server/ports/secrets.ts'
import { openPostgres } from '#server/postgres/repo.ts'
import { memoryImages } from '../../helpers/images.ts'
import { freshDatabase } from '../../helpers/postgres.ts'

export const imageHost = 'https://soma.test/photos'

/** Where a demo's server may keep things: an empty one of each. */
export const homes: [name: string, open: () => Promise<{ repo: Repo; drop(): Promise<void> }>][] = [
  [
    'IndexedDB',
    async () => {
      const repo = openDexieRepo(`town-${v7()}`)
      return { repo, drop: () => repo.close() }
    },
  ],
  [
    'PostgreSQL',
    async () => {
      const database = await freshDatabase(inject('postgresUrl'))
      const repo = openPostgres(database.url)
      const drop = async () => {
        await repo.close()
        await database.drop()
      }
      return { repo, drop }
    },
  ],
]

/** What the demo's server needs of its page, with a clock that is moved by hand and photos and texts to look at. */
export async function gatewaysOver(repo: Repo, begin: string) {
  const photos = new Map<string, Uint8Array<ArrayBuffer>>()
  const texts: SmsMessage[] = []
  const logged: string[] = []
  let now = Date.parse(begin)
  const images = memoryImages(photos)
  const log = (about: object, message: string) =>
    void logged.push(`${message} ${Object.values(about)}`)
  const gateways: Ports = {
    ...{ repo, secrets: await loadSecrets(repo), passwords: demoPasswords, images },
    ...{ sms: { send: async (text) => void texts.push(text) }, clock: () => now },
    log: { info: log, warn: log, error: log },
    options: {
      ...{ imageUploadUrl: 'https://soma.invalid/upload', imageUploadPreset: 'soma', imageHost },
      idUploadPreset: 'soma-id',
      idempotencyDays: 90,
      limits: looseLimits,
      smsDaily: 1_000_000,
    },
  }
  return {
    gateways,
    photos,
    texts,
    logged,
    /** Milliseconds. */
    advance: (by: number) => {
      now += by
    },
  }
}
