import type { IncomingMessage } from 'node:http'
import { v7 } from 'uuid'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import type { Ledger } from './effects.ts'
import { rowAt, sender } from './rows.ts'

type Answer = { status: number; value?: unknown; headers?: Record<string, string> }
type Read = (request: Pick<IncomingMessage, 'headers' | 'method'>, url: URL, body: string) => Answer

/** As many rows as the real server gives at once. */
const page = 1_000

/** The server's memory and what it answers with; `POST /touch?row=7` changes a row. */
export function answersTo(ledger: Ledger, rows: number): Read {
  const kept = new Map<string, { value: unknown; status: number }>()
  const versions = new Map<number, number>()
  /** What was pushed as documents, completed as a server does. */
  const pushed = new Map<string, { row: Record<string, unknown>; at: number }>()
  let version = 0

  /** Once a key: the answer is kept with its effect (R70). */
  function once(request: Parameters<Read>[0], effect: () => unknown): Answer {
    const key = String(request.headers['idempotency-key'] ?? v7())
    const before = kept.get(key)
    if (before) return { ...before, headers: { 'idempotent-replayed': 'true' } }
    const answer = { value: effect(), status: 201 }
    kept.set(key, answer)
    return answer
  }

  function list(url: URL): Answer {
    const since = Number(url.searchParams.get('since') ?? 0)
    const cursor = String(version)
    if (url.searchParams.has('since')) {
      const changed = [...versions].filter(([, at]) => at > since)
      const deliveries = changed.map(([index, at]) => rowAt(index, at))
      return { status: 200, value: { deliveries, removed: [], cursor } }
    }
    const from = Number(url.searchParams.get('after') ?? 0)
    const to = Math.min(rows, from + page)
    const next = to < rows ? { next: String(to) } : {}
    return { status: 200, value: { deliveries: slice(from, to), cursor, ...next } }
  }

  const slice = (from: number, to: number): Delivery[] => {
    const found: Delivery[] = []
    for (let index = from; index < to; index++) found.push(rowAt(index, versions.get(index)))
    return found
  }

  /** RxDB's own protocol: documents after a checkpoint, by its documentation of the HTTP replication. */
  function documents(url: URL): Answer {
    const after = Number(url.searchParams.get('after') ?? 0)
    const limit = Number(url.searchParams.get('limit') ?? page)
    const seen = Number(url.searchParams.get('version') ?? 0)
    const first = slice(after, Math.min(rows, after + limit))
    const changed = after < rows ? [] : [...versions].filter(([, at]) => at > seen)
    const theirs = after < rows ? [] : [...pushed.values()].filter(({ at }) => at > seen)
    const documents = [
      ...first,
      ...changed.map(([index, at]) => rowAt(index, at)),
      ...theirs.map(({ row, at }) => ({
        ...created(row, undefined),
        ...row,
        updatedAt: String(at),
      })),
    ].map((each) => ({ ...each, _deleted: false }))
    const checkpoint = { after: after + first.length, version: after < rows ? 0 : version }
    return { status: 200, value: { documents, checkpoint } }
  }

  return (request, url, body) => {
    switch (`${request.method} ${url.pathname}`) {
      case 'POST /api/guest/deliveries':
        return once(request, () => {
          const asked = JSON.parse(body)
          ledger.add(asked.itemDescription)
          return { delivery: created(asked, request.headers['idempotency-key']), guestToken: v7() }
        })
      case 'POST /api/guest/disputes':
        return once(request, () => {
          const { deliveryId, issue } = JSON.parse(body)
          ledger.add(issue)
          return { dispute: { ID: v7(), DeliveryID: deliveryId } }
        })
      case 'POST /documents': {
        for (const { newDocumentState } of JSON.parse(body)) {
          ledger.add(newDocumentState.itemDescription)
          pushed.set(newDocumentState.ID, { row: newDocumentState, at: ++version })
        }
        return { status: 200, value: [] }
      }
      case 'POST /api/images/upload':
        return { status: 200, value: { secure_url: `http://127.0.0.1/api/images/${v7()}.jpg` } }
      case 'POST /touch':
        versions.set(Number(url.searchParams.get('row')), ++version)
        return { status: 204 }
      case 'GET /documents':
        return documents(url)
      case 'GET /api/sender/deliveries':
        return list(url)
      case 'GET /api/users/me':
        return { status: 200, value: { user: sender, role: sender.role } }
      case 'GET /api/zones':
        return { status: 200, value: { zones: [{ ID: '1', Name: 'Osu' }] } }
      case 'GET /api/items':
        return { status: 200, value: { items: [{ ID: '1', Name: 'Documents' }] } }
      case 'GET /api/config':
        return { status: 200, value: config }
    }
    const [, jobId, step] =
      /^\/api\/driver\/deliveries\/([^/]+)\/(accept|complete)$/.exec(url.pathname) ?? []
    if (jobId && step)
      return once(request, () => jobAt(jobId, step === 'accept' ? 'Accepted' : 'Delivered'))
    const [, id, status] = /^\/api\/deliveries\/([^/]+)(\/status)?$/.exec(url.pathname) ?? []
    if (id && status) {
      const asked = JSON.parse(body)
      return once(request, () =>
        asked.status === 'Approved' ? approved(id) : jobAt(id, asked.status, asked),
      )
    }
    if (id) return { status: 200, value: { delivery: { ...rowAt(0), ID: id } } }
    return { status: 404, value: { error: 'Not there', reason: 'not-found' } }
  }
}

/** A job as its driver sees it. */
function jobAt(id: string, status: string, more: { proofOfDelivery?: string } = {}) {
  const row = rowAt(Number.parseInt(id.slice(-12), 16))
  const driver = { id: sender.ID, name: sender.name }
  const { proofOfDelivery } = more
  return {
    delivery: { ...row, status, driver, proofOfDelivery, updatedAt: new Date().toISOString() },
  }
}

/** IDs count upwards, so that a row is known by its own. */
function approved(id: string) {
  const updatedAt = new Date().toISOString()
  const row = rowAt(Number.parseInt(id.slice(-12), 16))
  const history = [...(row.history ?? []), { status: 'Approved', at: updatedAt }]
  return { delivery: { ...row, status: 'Approved', updatedAt, history } }
}

const config = { imageUploadUrl: '/api/images/upload', imageUploadPreset: 'soma', imageHost: '' }

function created(asked: Record<string, unknown>, key: string | string[] | undefined) {
  const at = new Date().toISOString()
  const { guestSecret: _, ...rest } = asked
  return {
    ...rest,
    ID: typeof asked.ID === 'string' ? asked.ID : (key ?? v7()),
    status: 'Pending',
    deliveryCode: '12345',
    isGuestDelivery: true,
    GuestSenderName: asked.senderName,
    GuestSenderPhone: asked.senderPhone,
    createdAt: at,
    updatedAt: at,
    history: [{ status: 'Pending', at }],
  }
}
