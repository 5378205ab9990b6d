import { describe } from 'vitest'
import { inDexie } from '../helpers/dexie-server.ts'
import { liveIn } from '../helpers/server.ts'

/* The server's own stories once more, told of a server that keeps things as the demo does. */
liveIn(inDexie)

const stories = {
  account: () => import('./account.test.ts'),
  admin: () => import('./admin.test.ts'),
  'admin area': () => import('./admin-area.test.ts'),
  concurrency: () => import('./concurrency.test.ts'),
  deliveries: () => import('./deliveries.test.ts'),
  events: () => import('./events.test.ts'),
  'reading less': () => import('./reading-less.test.ts'),
  'request keys': () => import('./request-keys.test.ts'),
}

describe.for(Object.entries(stories))('%s', async ([, tell]) => {
  await tell()
})
