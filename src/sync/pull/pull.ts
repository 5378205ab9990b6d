import type { Question } from '#contract/call.ts'
import { Refused, Unreachable } from '#contract/errors.ts'
import { resolveId } from '#store/account/account.ts'
import { guestAccount, type Pulled } from '#store/database/engine-db.ts'
import type { Session } from '#store/rows.ts'
import { deadline, type Tools } from '../platform/context.ts'
import { askFor, type List, listNamed } from './lists.ts'
import type { PageOf } from './pull-all-pages.ts'

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
  try {
    const held = await tools.db.pulls.get([asker.account, name])
    const question = { ...list.question, ...asker.question, ...since(list, held) }
    const answer = await ask(tools, list, question)
    const pulled = { name, list, account: asker.account, held, question, first: answer }
    const value = answer.value as Rows | undefined
    if (!value?.next || !(list.whole || value.removed))
      return {
        result: await keep(tools, pulled, { answer, pages: { seen: new Set() }, last: true }),
        every,
      }
    const { eachPage } = await import('./pull-all-pages.ts')
    const result = await eachPage(
      answer,
      (after) => ask(tools, list, pageAfter(question, after)),
      (page) => keep(tools, pulled, page),
    )
    return { result, every }
  } catch (error) {
    const failed = await fail(tools, name, asker.account, error)
    if (failed.result === 'refused') await noteRefused(tools, name, asker.account)
    return { ...failed, every }
  }
}

/** One page, and an end to patience with it. */
async function ask(tools: Tools, list: List, question: Question): Promise<Answer> {
  const { signal, clear } = deadline(tools.clock, patience)
  try {
    return await askFor(list, tools.transport, tools.base, { ...question, signal })
  } finally {
    clear()
  }
}

const pageAfter = (question: Question, after: string): Question => ({
  ...question,
  query: { ...question.query, after },
  etag: undefined,
})

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
      : (await import('./account-lists.ts')).ownListNamed(name)
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

export type Answer = Awaited<ReturnType<typeof askFor>>
export type Rows = { deliveries?: { ID: string }[]; removed?: string[]; next?: string }

/** What is pulled for whom, and what was held of it. `first`: the answer whose cursor counts. */
type Pulling = {
  name: string
  list: List
  account: string
  held: Pulled | undefined
  question: Question
  first: Answer
}

/** Rows and, with the last of them, how far they reach. */
async function keep(
  { db, clock }: Tools,
  { name, list, account, held, question, first }: Pulling,
  { answer, pages, last }: PageOf,
): Promise<PullResult> {
  return db.transaction('rw', db.tables, async () => {
    if (!(await isStillThere(db, account))) return 'not-asked'
    const at = clock.now()
    if (!answer.value) {
      await db.pulls.put({ ...held, account, list: name, at })
      return 'unchanged'
    }
    await list.keep(db, account, answer.value as never, question, pages)
    for (const value of answer.spoiled)
      await db.setAside.add({
        from: name,
        value,
        why: 'The server sent it in a form this app cannot read.',
        at,
        account: account === '' ? undefined : account,
      })
    const { cursor } = first.value as { cursor?: string }
    if (last) await db.pulls.put({ account, list: name, cursor, etag: first.etag, at })
    return 'fresh'
  })
}

/** A screen that waits for a list never had need wait no longer. What was had once still stands. */
async function noteRefused({ db }: Tools, list: string, account: string): Promise<void> {
  await db.transaction('rw', [db.pulls, db.sessions], async () => {
    if (!(await isStillThere(db, account)) || (await db.pulls.get([account, list]))) return
    await db.pulls.put({ account, list, at: 0, refused: true })
  })
}

/** A person who has logged out meanwhile leaves nothing more behind. */
async function isStillThere(db: Tools['db'], account: string): Promise<boolean> {
  if (account === '' || account === guestAccount) return true
  return (await db.sessions.get('current'))?.account === account
}

async function fail(tools: Tools, name: string, account: string, error: unknown) {
  if (error instanceof Unreachable) {
    const { status, retryAfter } = error
    return { result: 'unreachable' as const, answered: status !== undefined, retryAfter }
  }
  if (!(error instanceof Refused)) throw error
  await (await import('./forget-refused.ts')).refused(tools, name, account, error)
  return { result: 'refused' as const }
}
