import pg from 'pg'

type Rows = Record<string, string[]>

/**
 * Every row of every table of the product as text, in order, without what is the database's own: transaction
 * numbers and incarnations.
 */
export const allRows = (url: string): Promise<Rows> =>
  connected(url, async (client) => {
    const { rows: tables } = await client.query<{ name: string; columns: string }>(
      `select c.relname::text as name, string_agg(quote_ident(attname), ', ' order by attname) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname <> 'incarnations'
         and attnum > 0 and not attisdropped and atttypid <> 'xid8'::regtype
       group by c.relname order by 1`,
    )
    const all: Rows = {}
    for (const { name, columns } of tables) {
      const { rows } = await client.query<{ row: string }>(
        `select row(${columns})::text as row from public.${pg.escapeIdentifier(name)} order by 1`,
      )
      all[name] = rows.map(({ row }) => row)
    }
    return all
  })

/** Tables, columns, indexes, constraints and triggers as PostgreSQL describes them; the next numbers of identities. */
export const schemaOf = (url: string): Promise<string[]> =>
  connected(url, async (client) => {
    const { rows } = await client.query<{ line: string }>(
      `select format('%s.%s %s %s %s %s', c.relname, attname, format_type(atttypid, atttypmod), attnotnull, attidentity,
           pg_get_expr(adbin, adrelid)) as line
         from pg_attribute a join pg_class c on c.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
         where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attnum > 0 and not attisdropped
       union all select pg_get_indexdef(indexrelid) from pg_index join pg_class c on c.oid = indrelid
         where relnamespace = 'public'::regnamespace
       union all select format('%s %s %s %s', conrelid::regclass, conname, convalidated, pg_get_constraintdef(oid))
         from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
       union all select format('%s %s', tgenabled, pg_get_triggerdef(t.oid)) from pg_trigger t where not tgisinternal
       union all select format('%s %s', proname, md5(prosrc)) from pg_proc p where pronamespace = 'public'::regnamespace
         and not exists (select 1 from pg_depend where objid = p.oid and deptype = 'e')
       order by 1`,
    )
    const next = []
    for (const table of ['zones', 'items']) {
      const asked = `select coalesce(max(place), 0)::int as last, pg_get_serial_sequence('${table}', 'place') as name from ${table}`
      const { last, name } = (await client.query(asked)).rows[0]
      const { rows: found } = await client.query(`select nextval($1)::int as next`, [name])
      next.push(`${table} goes on ${found[0].next > last}`)
    }
    return [...rows.map(({ line }) => line), ...next]
  })

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query("set timezone = 'UTC'")
    return await work(client)
  } finally {
    await client.end()
  }
}
