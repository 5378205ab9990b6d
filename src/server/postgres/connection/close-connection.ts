/** What a database that is going down itself is given to say goodbye, in milliseconds. */
const closeTimeout = 3_000

/** Ends a connection or a pool; one whose other end is gone in the middle may never answer, and is left. */
export async function closeConnection(
  connection: { end(): Promise<unknown> } | undefined,
): Promise<void> {
  if (!connection) return
  await new Promise<void>((left) => {
    const timer = setTimeout(left, closeTimeout)
    const done = () => {
      clearTimeout(timer)
      left()
    }
    connection.end().then(done, done)
  })
}
