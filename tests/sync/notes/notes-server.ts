import { Hono } from 'hono'
import type { ServerNote } from './notes.ts'

/** A server of notes: a request key counts once, and an edit of an old version is refused. */
export function createNotesServer() {
  const notes = new Map<string, ServerNote>()
  const answers = new Map<string, { status: 200 | 409; body: unknown }>()
  /** Request keys whose effect has happened, once for each time. */
  const effects: string[] = []
  const app = new Hono().basePath('/api')
  app.get('/notes', (c) => c.json([...notes.values()]))
  app.on(['POST', 'PUT'], '/notes/:id', async (c) => {
    const key = c.req.header('idempotency-key') ?? ''
    const answer = answers.get(key) ?? write(c.req.param('id'), await c.req.json())
    answers.set(key, answer)
    return c.json(answer.body as object, answer.status)

    function write(id: string, { text, version = 0 }: { text: string; version?: number }) {
      const stored = notes.get(id)
      if ((stored?.version ?? 0) !== version)
        return { status: 409, body: { reason: 'taken', error: 'Somebody changed it' } } as const
      const note = { id, text, version: version + 1 }
      notes.set(id, note)
      effects.push(key)
      return { status: 200, body: note } as const
    }
  })
  return { fetch: async (request: Request) => app.fetch(request), notes, effects }
}
