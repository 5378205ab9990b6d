/** Milliseconds to wait for a database that may be stopping too. */
const closeTimeout = 3_000

/** Ends a connection or a pool. One whose server disappeared may never answer and is abandoned. */
export async function closeConnection(
  connection: { end(): Promise<unknown> } | undefined,
): Promise<void> {
  if (!connection) return
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, closeTimeout)
    const done = () => {
      clearTimeout(timer)
      resolve()
    }
    connection.end().then(done, done)
  })
}
