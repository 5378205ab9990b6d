import type { EngineDb } from '../engine-db.ts'
import { type DiagnosticEvent, getState, putState } from './state.ts'

/** Events that are remembered. */
const most = 300

/** Of this page or worker, and not yet stored. */
let unstored: DiagnosticEvent[] = []
let writesToConsole = false

/** Remembers an event for whoever asks why something waits; shown under Outbox, and in the exported file. */
export function note(
  what: string,
  { error, request }: { error?: unknown; request?: string } = {},
): void {
  const event: DiagnosticEvent = { at: Date.now(), what, request, error: textOf(error) }
  unstored = [...unstored, event].slice(-most)
  // biome-ignore lint/suspicious/noConsole: what the person has asked for
  if (writesToConsole) console.info(`[soma] ${what}`, event)
}

const textOf = (error: unknown): string | undefined =>
  error === undefined
    ? undefined
    : error instanceof Error
      ? `${error.name}: ${error.message}`
      : `${error}`

/** Also writes events to the console from now on, where the person has asked for it. */
export async function followConsoleFlag(db: EngineDb): Promise<void> {
  writesToConsole = (await getState(db, 'logsToConsole')) ?? false
}

/** Writes events to the console from now on, or no longer; kept over a reload. */
export async function setConsoleFlag(db: EngineDb, isOn: boolean): Promise<void> {
  await putState(db, 'logsToConsole', isOn)
  writesToConsole = isOn
}

/** The events that are stored, newest first. */
export const storedDiagnostics = async (db: EngineDb): Promise<DiagnosticEvent[]> =>
  [...((await getState(db, 'diagnostics')) ?? [])].reverse()

/** Forgets what was noted and not stored: its person has logged out. */
export function forgetUnstored(): void {
  unstored = []
}

/** Stores what was noted since the last time; once a round, to spare the disk. Never rejects. */
export async function storeDiagnostics(db: EngineDb): Promise<void> {
  if (unstored.length === 0) return
  const events = unstored
  unstored = []
  try {
    await db.transaction('rw', db.meta, async () => {
      const before = (await getState(db, 'diagnostics')) ?? []
      await putState(db, 'diagnostics', [...before, ...events].slice(-most))
    })
  } catch {
    // A full disk, or a database that was closed: they are stored with the next.
    unstored = [...events, ...unstored].slice(-most)
  }
}
