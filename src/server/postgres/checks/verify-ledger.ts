import type pg from 'pg'

/** One kind of fault: how many rows have it, and the first of them as text. */
export type LedgerFault = { about: string; count: number; examples: string[] }

/** Money in pesewas. */
export type LedgerTotals = {
  deliveries: number
  transfers: number
  entries: number
  /** Deliveries with money set aside (not ended, or cancelled with money held), and that money. */
  open: number
  inEscrow: number
  released: number
  refunded: number
}

/** Rows of one fault that are named. */
const maxExamples = 20

/**
 * Deliveries whose state and transfers disagree about the money (R41, R105, R107, R123, R126, R174). What a provider
 * has not charged was never set aside.
 */
const wrongDeliveries = `
  with expected as (
    select id, status,
      case when payment ->> 'status' in ('waiting', 'failed') then 0 else pesewas + tip end as pesewas,
      array['escrow:' || id, 'promised:' || id] as set_aside,
      case when sender is null then 'guest:' || id else 'sender:' || (sender->>'id') end as payer,
      'owed:' || id as owed,
      coalesce('driver:' || driver_id, '') as driver,
      case status when 'Approved' then pesewas + tip when 'Cancelled' then coalesce(driver_share, 0) else 0 end as released,
      case when status = 'Cancelled' and refund is distinct from 'held'
          and coalesce(payment ->> 'status', '') not in ('waiting', 'failed')
        then pesewas - coalesce(driver_share, 0) else 0 end as refunded
    from deliveries
  ), found as (
    select d.id,
      sum(e.pesewas) filter (where kind in ('hold', 'raise', 'tip-hold') and account = any(set_aside)) as held,
      -sum(e.pesewas) filter (where kind in ('hold', 'raise', 'tip-hold') and account = payer) as paid,
      sum(e.pesewas) filter (where kind in ('release', 'tip-release', 'fee') and not account = any(set_aside)) as released,
      sum(e.pesewas) filter (where kind = 'refund' and account = payer) as refunded,
      sum(e.pesewas) filter (where account = any(set_aside)) as in_escrow,
      count(*) filter (where not account = any(set_aside || array[payer, owed, driver, 'fees'])) as others
    from expected d join transfers t on t.delivery_id = d.id join entries e on e.transfer_id = t.id
    group by d.id
  ), compared as (
    select d.*, coalesce(f.held, 0) as held, coalesce(f.paid, 0) as paid, coalesce(f.released, 0) as was_released,
      coalesce(f.refunded, 0) as was_refunded, coalesce(f.in_escrow, 0) as in_escrow, coalesce(f.others, 0) as others
    from expected d left join found f using (id)
  )
  select id || ' (' || status || ', ' || pesewas || ' pesewas): held ' || held || ' of the payer''s ' || paid
    || ', released ' || was_released || ' instead of ' || released
    || ', refunded ' || was_refunded || ' instead of ' || refunded
    || ', in escrow ' || in_escrow || ', lines of other accounts ' || others as example
  from compared
  where held <> pesewas or paid <> pesewas or was_released <> released or was_refunded <> refunded
    or in_escrow <> pesewas - released - refunded or others > 0`

/** Deliveries whose payouts are not what the ledger says of their driver's money (R172). */
const wrongPayouts = `
  with paid as (
    select delivery_id, sum(pesewas) filter (where status = 'paid') as pesewas, sum(pesewas) as earned
    from payments where kind = 'payout' group by delivery_id
  ), posted as (
    select t.delivery_id,
      sum(e.pesewas) filter (where kind in ('payout', 'unpaid') and account like 'driver:%') as pesewas,
      sum(e.pesewas) filter (where kind in ('release', 'tip-release', 'surplus-refund') and account like 'owed:%') as earned
    from transfers t join entries e on e.transfer_id = t.id
    where kind in ('release', 'tip-release', 'surplus-refund', 'payout', 'unpaid') group by t.delivery_id
  )
  select coalesce(paid.delivery_id, posted.delivery_id) || ': payouts of ' || coalesce(paid.earned, 0)
    || ', paid ' || coalesce(paid.pesewas, 0) || '; in the ledger ' || coalesce(posted.earned, 0)
    || ', paid ' || coalesce(posted.pesewas, 0) as example
  from paid full join posted using (delivery_id)
  where coalesce(paid.pesewas, 0) <> coalesce(posted.pesewas, 0)
    or coalesce(paid.earned, 0) <> coalesce(posted.earned, 0)`

const faults: Record<string, string> = {
  'transfers that do not sum to zero, or have fewer than two entries': `
    select t.id || ' (' || t.kind || ' of ' || t.delivery_id || '): ' || count(e.pesewas) || ' entries, sum '
      || coalesce(sum(e.pesewas), 0) as example
    from transfers t left join entries e on e.transfer_id = t.id
    group by t.id having coalesce(sum(e.pesewas), 0) <> 0 or count(e.pesewas) < 2`,
  'accounts that are overdrawn': `
    select account || ': ' || sum(pesewas) as example from entries
    where account ~ '^(escrow|promised|owed):' group by account having sum(pesewas) < 0`,
  'entries without a transfer': `
    select e.transfer_id || ' ' || e.account || ': ' || e.pesewas as example from entries e
    where not exists (select 1 from transfers t where t.id = e.transfer_id)`,
  'transfers without a delivery': `
    select t.id || ' (' || t.kind || ' of ' || t.delivery_id || ')' as example from transfers t
    where not exists (select 1 from deliveries d where d.id = t.delivery_id)`,
  'deliveries whose transfers do not match their status': wrongDeliveries,
  'payouts that do not match the ledger': wrongPayouts,
}

const totals = `
  select (select count(*) from deliveries)::float as deliveries,
    (select count(*) from transfers)::float as transfers,
    (select count(*) from deliveries where status not in ('Approved', 'Cancelled') or refund = 'held')::float as open,
    count(*)::float as entries,
    coalesce(sum(pesewas) filter (where account ~ '^(escrow|promised):'), 0)::float as "inEscrow",
    coalesce(sum(pesewas) filter (where account ~ '^(driver|owed):'), 0)::float as released,
    coalesce(sum(pesewas) filter (where kind = 'refund' and pesewas > 0), 0)::float as refunded
  from entries join transfers on transfers.id = transfer_id`

/**
 * Compares the whole ledger with itself and with the deliveries (R40, R41), as they are at one moment. The database
 * does the work in sets: memory here does not grow with it. With 250,000 deliveries it takes 25 s on a busy machine.
 */
export async function verifyLedger(
  client: Pick<pg.ClientBase, 'query'>,
): Promise<{ faults: LedgerFault[]; totals: LedgerTotals }> {
  await client.query('begin isolation level repeatable read read only')
  try {
    await client.query('set local statement_timeout = 0')
    const found: LedgerFault[] = []
    for (const [about, sql] of Object.entries(faults)) {
      const { rows } = await client.query<{ example: string; count: number }>(
        `select example, (count(*) over ())::int as count from (${sql}) wrong order by example limit ${maxExamples}`,
      )
      const count = rows[0]?.count ?? 0
      if (count > 0) found.push({ about, count, examples: rows.map(({ example }) => example) })
    }
    const { rows } = await client.query<LedgerTotals>(totals)
    if (!rows[0]) throw new Error('The database returned no totals')
    return { faults: found, totals: rows[0] }
  } finally {
    await client.query('rollback')
  }
}
