import type { Question } from '#contract/call.ts'
import { Refused, Unreachable } from '#contract/errors.ts'
import { guestAccount, type Pulled, type Session } from '#store/db.ts'
import { resolveId } from '#store/device.ts'
import { removeAll } from '#store/rows.ts'
import { expire } from './expire.ts'
import { askFor, type List, listNamed } from './lists.ts'
import { deadline, type Tools } from './tools.ts'

export type PullResult = 'fresh' | 'unchanged' | 'refused' | 'unreachable' | 'not-asked'

/** How a pull went. `answered`: our server spoke, if only to ask for patience. */
export type Pull = {
  result: PullResult
  /** Milliseconds between two pulls of this list. */
  every: number
  answered?: boolean
  retryAfter?: number
}

const patience = 30_000

/**
 * Asks the server for what changed in one list and keeps it. The answer is written only if the
 * same person is still logged in, together with how far it reaches.
 */
export async function pull(tools: Tools, name: string): Promise<Pull> {
  const list = await listOf(name)
  const every = list?.every ?? 30_000
  const asker = list && (await whoAsks(tools, name, list))
  if (!asker) return { result: list === null ? 'unreachable' : 'not-asked', every }
  const { signal, clear } = deadline(tools.clock, patience)
  try {
    const held = await tools.db.pulls.get([asker.account, name])
    const question = { ...list.question, ...asker.question, ...since(list, held), signal }
    const answer = await everyPage(tools, list, question)
    const result = await keep(tools, name, list, asker.account, answer, held, question)
    return { result, every }
  } catch (error) {
    return { ...(await fail(tools, name, asker.account, error)), every }
  } finally {
    clear()
  }
}

/**
 * What most visitors do not need is fetched when first asked for: whose lists they are, and the long
 * ones of an admin. `null` when there is no network to fetch it over.
 */
async function listOf(name: string): Promise<List | undefined | null> {
  const everybodys = listNamed(name)
  if (everybodys) return everybodys
  try {
    return name.startsWith('admin')
      ? (await import('./admin-lists.ts')).adminListNamed(name)
      : (await import('./own-lists.ts')).ownListNamed(name)
  } catch {
    return null
  }
}

type Asker = { account: string; question: Question }

/** Under whose name a list is asked for; nobody's when there is nobody who may. */
async function whoAsks({ db }: Tools, name: string, list: List): Promise<Asker | undefined> {
  if (list.shared) return { account: '', question: {} }
  const session = await db.sessions.get('current')
  if (!name.startsWith('delivery:')) return session && asPerson(session)
  const id = name.slice('delivery:'.length)
  const guestId = await resolveId(db, guestAccount, id)
  const record = await db.guests.get(guestId)
  if (record)
    return record.guestToken
      ? { account: guestAccount, question: { id: guestId, token: record.guestToken } }
      : undefined
  if (!session) return undefined
  return asPerson(session, { id: await resolveId(db, session.account, id) })
}

const asPerson = (session: Session, question: Question = {}): Asker | undefined =>
  session.expired
    ? undefined
    : { account: session.account, question: { ...question, token: session.token } }

function since(list: List, held: Pulled | undefined): Question {
  if (list.part) return { etag: held?.etag }
  const query = { ...list.question?.query, since: held?.cursor }
  return { etag: held?.etag, ...(held?.cursor ? { query } : {}) }
}

type Answer = Awaited<ReturnType<typeof askFor>>
type Rows = { deliveries?: unknown[]; removed?: string[]; next?: string }

/**
 * A list that must be held whole, and all that changed in one, is asked for page after page. The first page's cursor stands for
 * all of them: what changes meanwhile is newer than it, and is told again next time.
 */
async function everyPage(tools: Tools, list: List, question: Question): Promise<Answer> {
  const first = await askFor(list, tools.transport, tools.base, question)
  const value = first.value as Rows | undefined
  const whole = list.whole || value?.removed !== undefined
  for (let after = whole ? value?.next : undefined; value && after; ) {
    const query = { ...question.query, after }
    const page = await askFor(list, tools.transport, tools.base, {
      ...question,
      query,
      etag: undefined,
    })
    const more = page.value as Rows
    value.deliveries?.push(...(more.deliveries ?? []))
    value.removed?.push(...(more.removed ?? []))
    value.next = after = more.next
    first.spoiled.push(...page.spoiled)
  }
  return first
}

async function keep(
  { db, clock }: Tools,
  name: string,
  list: List,
  account: string,
  answer: Answer,
  held: Pulled | undefined,
  question: Question,
): Promise<PullResult> {
  return db.transaction('rw', db.tables, async () => {
    if (!(await stillThere())) return 'not-asked'
    const at = clock.now()
    if (!answer.value) {
      await db.pulls.put({ ...held, account, list: name, at })
      return 'unchanged'
    }
    await list.keep(db, account, answer.value as never, question)
    for (const value of answer.spoiled)
      await db.setAside.add({
        from: name,
        value,
        why: 'The server sent it in a form this app cannot read.',
        at,
      })
    const { cursor } = answer.value as { cursor?: string }
    await db.pulls.put({ account, list: name, cursor, etag: answer.etag, at })
    return 'fresh'
  })

  async function stillThere(): Promise<boolean> {
    if (account === '' || account === guestAccount) return true
    return (await db.sessions.get('current'))?.account === account
  }
}

async function fail({ db, clock }: Tools, name: string, account: string, error: unknown) {
  if (error instanceof Unreachable) {
    const { status, retryAfter } = error
    return { result: 'unreachable' as const, answered: status !== undefined, retryAfter }
  }
  if (!(error instanceof Refused)) throw error
  if (error.status === 401 && account !== guestAccount) await expire(db, account)
  if (name.startsWith('delivery:') && error.status === 404)
    await forget(db, account, name, clock.now())
  return { result: 'refused' as const }
}

/** Another person's, or taken by somebody else: it is no longer theirs to see. */
async function forget(db: Tools['db'], account: string, name: string, now: number): Promise<void> {
  const id = name.slice('delivery:'.length)
  await db.transaction('rw', [db.deliveries, db.outbox, db.sessions, db.meta], async () => {
    await db.meta.put({ key: `gone:${account}:${id}`, value: now })
    const row = await db.deliveries.get([account, id])
    if (row?.known) await removeAll(db, account, [id])
  })
}
