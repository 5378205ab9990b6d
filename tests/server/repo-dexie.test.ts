import { v7 } from 'uuid'
import { openDexieRepo } from '#server/repo-dexie.ts'
import { repoContract } from './repo-contract.ts'

repoContract('Dexie', async () => {
  const repo = openDexieRepo(v7())
  return { repo, close: () => repo.close() }
})
