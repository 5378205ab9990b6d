import pg from 'pg'

/** Does `work` on a connection of its own, which is shown in `pg_stat_activity` under this name. */
export async function withClient<T>(
  url: string,
  name: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: 10_000,
  })
  // The statement under way fails with the reason; without a listener the process would end.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
