/// <reference lib="webworker" />
import { drain } from '#sync/worker.ts'

/*
 * A script of its own beside `sw.js`: with the sync engine and its store in it, it takes a slow
 * phone a third of a second to start, and every opening of the app waits for `sw.js`.
 */
Object.assign(self, { drainOutbox: drain })
