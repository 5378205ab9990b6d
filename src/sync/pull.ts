import type { Question } from '#contract/call.ts'
import { Refused, Unreachable } from '#contract/errors.ts'
import { guestAccount, type Pulled, type Session } from '#store/db.ts'
import { resolveId } from '#store/device.ts'
import { removeAll } from '#store/rows.ts'
import { expire } from './expire.ts'
import { askFor, type List, listNamed } from './lists.ts'
import { deadline, type Tools } from './tools.ts'

export type PullResult = 'fresh' | 'unchanged' | 'refused' | 'unreachable' | 'not-asked'

const patience = 30_000

/**
 * Asks the server for what changed in one list and keeps it. The answer is written only if the
 * same person is still logged in, together with how far it reaches.
 */
export async function pull(
  tools: Tools,
  name: string,
): Promise<{ result: PullResult; bytes: number; retryAfter?: number }> {
  const list = listNamed(name) ?? (await adminsOwn(name))
  if (!list) return { result: 'not-asked', bytes: 0 }
  const asker = await whoAsks(tools, name, list)
  if (!asker) return { result: 'not-asked', bytes: 0 }
  const { signal, clear } = deadline(tools.clock, patience)
  try {
    const held = await tools.db.pulls.get([asker.account, name])
    const question = { ...list.question, ...asker.question, ...since(list, held), signal }
    const answer = await everyPage(tools, list, question)
    return {
      result: await keep(tools, name, list, asker.account, answer, held, question),
      bytes: answer.bytes,
    }
  } catch (error) {
    return fail(tools, name, asker.account, error)
  } finally {
    clear()
  }
}

/** The long lists of an admin, fetched when the first of them is looked at. */
const adminsOwn = async (name: string): Promise<List | undefined> =>
  name.startsWith('admin') ? (await import('./admin-lists.ts')).adminListNamed(name) : undefined

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
    first.bytes += page.bytes
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
  if (error instanceof Unreachable)
    return { result: 'unreachable' as const, bytes: 0, retryAfter: error.retryAfter }
  if (!(error instanceof Refused)) throw error
  if (error.status === 401 && account !== guestAccount) await expire(db, account)
  if (name.startsWith('delivery:') && error.status === 404)
    await forget(db, account, name, clock.now())
  return { result: 'refused' as const, bytes: 0 }
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
