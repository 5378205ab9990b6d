/// <reference lib="webworker" />
import { drain, pullScreen } from '#store/worker.ts'

/*
 * A script of its own, imported by `sw.js` when it is needed (S35, S82): every opening of the app waits
 * for `sw.js` to start, which with the sync engine in it takes a slow phone a third of a second longer.
 */
Object.assign(self, { drainOutbox: drain, pullScreen })
