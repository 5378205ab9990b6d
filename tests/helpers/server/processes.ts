import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, inject } from 'vitest'
import { type CallInput, type CallResult, call } from '#contract/calls/call.ts'
import type { Op } from '#contract/endpoints.ts'
import type { BodyOf } from '#contract/queries.ts'
import { freshDatabase } from '../database/postgres.ts'
import { type AppServer, startAppServer } from './app-server.ts'

/**
 * Starts and stops built servers; those still running are stopped after each test. Call it at the top
 * level of the file. Needs the build (`npm run check` makes none).
 */
export function processes() {
  const running = new Set<AppServer>()
  afterEach(async () => {
    for (const server of running) await server.stop()
    running.clear()
  })

  async function started(env: Record<string, string> = {}) {
    const server = await startAppServer({ env })
    running.add(server)
    const ask = <O extends Op>(
      op: O,
      question: CallInput & { body?: BodyOf<O> } = {},
    ): Promise<CallResult<O>> =>
      call((request) => fetch(request), `${server.origin}/api`, op, question)
    return { server, ask }
  }

  /** Stops a server and returns its exit code. */
  function stopped(server: AppServer): Promise<number> {
    running.delete(server)
    return server.stop()
  }
  return { started, stopped }
}

/**
 * Starts one built server for all tests of a file, over a database of the run's PostgreSQL, and stops it after them.
 * Call it at the top level of the file; the function it returns works inside a test.
 */
export function builtServer(env: Record<string, string> = {}): () => AppServer {
  let server: AppServer | undefined
  let drop = async () => {}
  beforeAll(async () => {
    const database = await freshDatabase(inject('postgresUrl'))
    drop = database.drop
    server = await startAppServer({ env, databaseUrl: database.ownerUrl })
  })
  afterAll(async () => {
    await server?.stop()
    await drop()
  })
  return () => {
    if (!server) throw new Error('The server is only available inside a test.')
    return server
  }
}

/** The process ID of a server's database while it runs. */
export function databaseOf({ dataDir }: AppServer): number | undefined {
  const { folder } = JSON.parse(readFileSync(join(dataDir, 'postgres.json'), 'utf8'))
  try {
    const pid = Number(readFileSync(join(dataDir, folder, 'postmaster.pid'), 'utf8').split('\n')[0])
    return isAlive(pid) ? pid : undefined
  } catch {
    return undefined
  }
}

/** Whether a process runs; a zombie counts as ended. */
export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return !stat
      .slice(stat.lastIndexOf(')') + 1)
      .trim()
      .startsWith('Z')
  } catch {
    return false
  }
}
