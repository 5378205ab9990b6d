import { createCollection } from '@tanstack/db'
import { IndexedDBAdapter, startOfflineExecutor } from '@tanstack/offline-transactions'

Object.assign(globalThis, { createCollection, IndexedDBAdapter, startOfflineExecutor })
