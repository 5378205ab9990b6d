/*
 * One Vitest for many runs: it starts once, and between two runs only the changed source is read anew.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { BaseSequencer, createVitest } from 'vitest/node'
import { root } from '../../src/server/launch/ready.mjs'

/** Milliseconds after which a run counts as failed: a change that never ends is noticed, too. */
const longestRun = 5 * 60_000

/** The quickest files first: one of them may do. */
class ShortestFirst extends BaseSequencer {
  /** @override @param {import('vitest/node').TestSpecification[]} files */
  async sort(files) {
    const slow = (/** @type {{ moduleId: string }} */ { moduleId }) =>
      Number(/model|failing-lists|event-stream/.test(moduleId))
    // Vitest itself begins with the longest.
    return (await super.sort(files)).reverse().sort((a, b) => slow(a) - slow(b))
  }
}

/** @typedef {Awaited<ReturnType<typeof createRunner>>} Runner */

/** Starts Vitest; `applied` changes the sources that it reads (plugin.ts). */
export async function createRunner() {
  // Set before the configuration is read: only then is the plugin that changes sources in it.
  process.env.MUTANT = ''
  process.env.CI = 'true'
  /** The test file that failed in this run. @type {string | undefined} */
  let failed
  const fail = (/** @type {string} */ file) => {
    failed ??= file
    // The second call does not wait for the tests that run just now.
    void vitest.cancelCurrentRun('test-failure')
    void vitest.cancelCurrentRun('test-failure')
  }
  /** @type {import('vitest/node').Reporter} */
  const reporter = {
    onTestCaseResult: (test) => {
      if (test.result().state === 'failed') fail(test.module.moduleId)
    },
    onTestModuleEnd: (module) => {
      if (module.state() === 'failed') fail(module.moduleId)
    },
  }
  const vitest = await createVitest('test', {
    root,
    watch: false,
    silent: true,
    reporters: [reporter],
    sequence: { sequencer: ShortestFirst },
  })

  return {
    /** The test files that stand under these paths. @param {string[]} paths */
    filesUnder: async (paths) => {
      const found = await vitest.globTestSpecifications(paths)
      return found.map(({ moduleId }) => moduleId)
    },
    /**
     * Runs these test files with a change applied, if one is given; the first that fails, nothing when all pass.
     * @param {import('./plugin.ts').Change | undefined} change
     * @param {string[]} files
     */
    firstFailing: async (change, files) => {
      failed = undefined
      process.env.MUTANT = change ? JSON.stringify(change) : ''
      if (change) vitest.invalidateFile(join(root, change.file))
      const timer = setTimeout(() => {
        fail('never ended')
        endWorkers()
      }, longestRun)
      const specs = files.map((file) => vitest.getRootProject().createSpecification(file))
      const { unhandledErrors } = await vitest.runTestSpecifications(specs)
      clearTimeout(timer)
      process.env.MUTANT = ''
      if (change) vitest.invalidateFile(join(root, change.file))
      return failed ?? (unhandledErrors.length > 0 ? 'an unhandled error' : undefined)
    },
    close: () => vitest.close(),
  }
}

/** Kills the processes that run tests: no message reaches one that never ends. */
function endWorkers() {
  const listed = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], {
    encoding: 'utf8',
  })
  for (const line of listed.split('\n')) {
    const [, pid, args = ''] = /^\s*(\d+) (.*)$/.exec(line) ?? []
    if (pid && args.includes('vitest')) process.kill(Number(pid), 'SIGKILL')
  }
}
