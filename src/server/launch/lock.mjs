import { mkdirSync, rmSync, statSync, utimes } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** Milliseconds between a holder's heartbeats, and after which a holder without one counts as dead. */
const times = { beat: 1_000, dead: 10_000 }

/**
 * Does `work` under a lock between processes. The lock of a killed process expires after 10 s. @template T
 * @param {string} folder that exists while somebody holds the lock @param {() => Promise<T>} work @returns
 * {Promise<T>}
 */
export async function locked(folder, work) {
  mkdirSync(dirname(folder), { recursive: true })
  while (!take(folder)) await pause(250)
  const beat = () => utimes(folder, new Date(), new Date(), () => undefined)
  const beating = setInterval(beat, times.beat)
  const release = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', release)
  try {
    return await work()
  } finally {
    clearInterval(beating)
    process.off('exit', release)
    release()
  }
}

/** @param {string} folder */
function take(folder) {
  try {
    mkdirSync(folder)
    return true
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    const age = Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
    if (age > times.dead) rmSync(folder, { recursive: true, force: true })
    return false
  }
}
