import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * Does `work` while no other process that asks for the same lock does; a dead holder's lock is taken over.
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function locked(file, work) {
  mkdirSync(dirname(file), { recursive: true })
  while (!(await take(file))) await pause(250)
  const release = () => {
    if (holder(file) === process.pid) rmSync(file, { force: true })
  }
  process.once('exit', release)
  try {
    return await work()
  } finally {
    process.off('exit', release)
    release()
  }
}

/** @param {string} file */
async function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
  } catch {
    const pid = holder(file)
    if (pid !== undefined && isAlive(pid)) return false
    setAside(file, pid)
    return false
  }
  // Two that found the same dead holder at once may both have set a lock aside: the last writer has it.
  await pause(50)
  return holder(file) === process.pid
}

/**
 * Renaming is atomic, so of several that find a dead holder one moves the file; whoever moved
 * a live one by mistake puts it back.
 * @param {string} file
 * @param {number | undefined} expected
 */
function setAside(file, expected) {
  const aside = `${file}.${process.pid}`
  try {
    renameSync(file, aside)
    const moved = holder(aside)
    if (moved !== expected && moved !== undefined && isAlive(moved)) renameSync(aside, file)
    else rmSync(aside, { force: true })
  } catch {
    // Another one moved it first.
  }
}

/** @param {string} file @returns {number | undefined} */
function holder(file) {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined
  } catch {
    return undefined
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
