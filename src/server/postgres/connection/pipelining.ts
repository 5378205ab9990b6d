import type pg from 'pg'

/*
 * A pipelined connection sends a statement while earlier ones are unanswered. What is sent in the same
 * turn of the event loop goes out in one write: each write is a system call here, and a wake-up of
 * PostgreSQL's process there.
 *
 * This depends on `client.connection.stream` of `pg`. `tests/server/postgres/pipelining` counts the
 * writes. Where the stream is missing, statements are sent one by one and are otherwise the same.
 */

type Stream = { cork(): void; uncork(): void }

const streamOf = (client: pg.ClientBase): Stream | undefined =>
  (client as { connection?: { stream?: Stream } }).connection?.stream

/** Makes a connection collect the statements of one turn. */
export function joinWrites(client: pg.ClientBase): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  let isHeld = false
  client.query = ((...args: unknown[]) => {
    const stream = streamOf(client)
    if (stream && !isHeld) {
      isHeld = true
      stream.cork()
      process.nextTick(() => {
        isHeld = false
        stream.uncork()
      })
    }
    return query(...args)
  }) as typeof client.query
}

/** Collects what is sent until the work is done. */
export async function corked<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  const stream = streamOf(client)
  stream?.cork()
  try {
    return await work()
  } finally {
    stream?.uncork()
  }
}
