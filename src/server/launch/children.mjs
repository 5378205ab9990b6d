import { spawn } from 'node:child_process'

/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set()

/**
 * Runs a command to its end and returns its exit code and output. It gets a process group of its own, so that
 * `endChildren` reaches its grandchildren too. @param {string} command @param {readonly string[]} args @param
 * {{ cwd?: string, env?: NodeJS.ProcessEnv, show?: boolean }} [options] `show`: print as it comes @returns
 * {Promise<{ code: number, output: string }>}
 */
export function run(command, args, { cwd, env = process.env, show = false } = {}) {
  return new Promise((resolve) => {
    const stdio = show ? 'inherit' : 'pipe'
    const child = spawn(command, args, {
      cwd,
      env,
      detached: true,
      stdio: ['ignore', stdio, stdio],
    })
    children.add(child)
    let output = ''
    const keep = (/** @type {Buffer} */ chunk) => {
      output += chunk
    }
    child.stdout?.on('data', keep)
    child.stderr?.on('data', keep)
    child.on('error', (error) => {
      children.delete(child)
      resolve({ code: 127, output: `${output}${error.message}\n` })
    })
    child.on('close', (code) => {
      children.delete(child)
      resolve({ code: code ?? 1, output })
    })
  })
}

/** Asks every running child's group to end, and makes it after three seconds. */
export async function endChildren() {
  await Promise.all(
    [...children].map(async (child) => {
      const ended = new Promise((resolve) => child.once('close', resolve))
      signal(child, 'SIGTERM')
      const insist = setTimeout(() => signal(child, 'SIGKILL'), 3_000)
      await ended
      clearTimeout(insist)
    }),
  )
}

/**
 * Until the returned function is called, SIGTERM, SIGINT and SIGHUP end the children and then this process.
 * @param {(name: NodeJS.Signals) => number} exitCode
 */
export function endOnSignal(exitCode) {
  /** @type {NodeJS.Signals[]} */
  const names = ['SIGTERM', 'SIGINT', 'SIGHUP']
  let ending = false
  const end = async (/** @type {NodeJS.Signals} */ name) => {
    // npm forwards a signal that the group already received: the second one is ignored.
    if (ending) return
    ending = true
    await endChildren()
    process.exit(exitCode(name))
  }
  for (const name of names) process.on(name, end)
  return () => {
    for (const name of names) process.off(name, end)
  }
}

/** @param {import('node:child_process').ChildProcess} child @param {NodeJS.Signals} name */
function signal(child, name) {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, name)
  } catch {
    // Its group is gone already.
  }
}
