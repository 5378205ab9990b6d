import { v7 } from 'uuid'
import { inject } from 'vitest'
import { openDexieRepo } from '#demo/backend/dexie/dexie-repo.ts'
import { demoPasswords } from '#demo/backend/passwords.ts'
import { defaultEndingTerms } from '#domain/deliveries/endings/incidents.ts'
import { defaultMinOffer } from '#domain/money.ts'
import { looseLimits } from '#server/ports/limits.ts'
import type { Ports, SmsMessage } from '#server/ports/ports.ts'
import type { Repo } from '#server/ports/repo.ts'
import { loadSecrets } from '#server/ports/secrets.ts'
import { openPostgres } from '#server/postgres/open-postgres.ts'
import { freshDatabase } from '../../helpers/database/postgres.ts'
import { memoryImages } from '../../helpers/server/memory-images.ts'

export const imageHost = 'https://soma.test/photos'

/** Opens an empty repo of each kind that the demo's city can be built in. */
export const repos: [name: string, open: () => Promise<{ repo: Repo; drop(): Promise<void> }>][] = [
  [
    'IndexedDB',
    async () => {
      const repo = openDexieRepo(`city-${v7()}`)
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

/** Ports over this repo, with a clock that tests advance, and with photos, texts and log lines to inspect. */
export async function portsOver(repo: Repo, begin: string) {
  const photos = new Map<string, Uint8Array<ArrayBuffer>>()
  const texts: SmsMessage[] = []
  const logged: string[] = []
  let now = Date.parse(begin)
  const log = (details: object, message: string) =>
    void logged.push(`${message} ${Object.values(details)}`)
  const ports: Ports = {
    repo,
    secrets: await loadSecrets(repo),
    passwords: demoPasswords,
    images: memoryImages(photos),
    sms: { send: async (text) => void texts.push(text) },
    clock: () => now,
    log: { info: log, warn: log, error: log },
    options: {
      publicOrigin: 'http://localhost:8081',
      imageUploadUrl: 'https://soma.invalid/upload',
      imageUploadPreset: 'soma',
      imageHost,
      idUploadPreset: 'soma-id',
      idempotencyDays: 90,
      limits: looseLimits,
      minOffer: defaultMinOffer,
      payments: { mode: 'direct', feePercent: 0 },
      smsDaily: 1_000_000,
      endings: defaultEndingTerms,
    },
  }
  return {
    ports,
    photos,
    texts,
    logged,
    /** Milliseconds. */
    advance: (by: number) => {
      now += by
    },
  }
}
