import pg from 'pg'

/**
 * Writes `users` users (one in ten a driver) and `deliveries` deliveries: the older ones ended and paid,
 * the newest active. The same numbers write the same rows, except for times.
 */
export async function fill(
  database: pg.ClientConfig,
  { users, deliveries }: { users: number; deliveries: number },
): Promise<void> {
  const client = new pg.Client(database)
  await client.connect()
  try {
    await client.query('begin')
    // Row triggers would run a hundred thousand times.
    await client.query('set local session_replication_role = replica')
    await client.query('select setseed(0.5)')
    await client.query(people, [users])
    await client.query(applied, [users])
    const drivers = Math.max(1, Math.floor(users / 10))
    await client.query(parcels, [deliveries, users, drivers])
    await client.query(paid)
    await client.query(disputed, [Math.max(3, Math.floor(deliveries / 2_000))])
    await client.query(happened)
    await client.query('delete from rollup_changes')
    await client.query('delete from rollups')
    await client.query('insert into rollups select * from rollups_now()')
    await client.query(searched)
    await client.query('commit')
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}

const searched = `
  insert into delivery_search select d.id, d.pesewas, delivery_search_text(d) from deliveries d
  on conflict (id) do nothing`

const pick = (words: string[], by: string) =>
  `(array[${words.map((word) => `'${word}'`).join(', ')}])[1 + (${by}) % ${words.length}]`

const first = [
  'Ama',
  'Kofi',
  'Esi',
  'Yaw',
  'Akua',
  'Kwame',
  'Efua',
  'Kojo',
  'Abena',
  'Kwesi',
  'Adwoa',
]
const last = ['Mensah', 'Boateng', 'Owusu', 'Asante', 'Ofori', 'Darko', 'Quartey', 'Addo', 'Tetteh']
const zones = [
  'Osu',
  'Tema',
  'Labone',
  'Madina',
  'Adenta',
  'Spintex',
  'Circle',
  'Dansoman',
  'Legon Campus',
]
const things = [
  'Laptop',
  'Documents',
  'Small Box',
  'Groceries',
  'Clothing',
  'Keys',
  'Phone',
  'Kente cloth',
]

const nameOf = (i: string) => `${pick(first, i)} || ' ' || ${pick(last, `${i} / 7`)}`
/** Derived from the number, so that a user has the same ID in every statement. */
const idOf = (kind: string, i: string) => `md5('${kind} ' || ${i})::uuid`

const people = `
  insert into users (id, name, email, email_key, phone, role, verified, driver_status, password_hash, created_at)
  select ${idOf('user', 'i')}, ${nameOf('i')},
    lower(${pick(first, 'i')}) || '.' || i || '@example.com', lower(${pick(first, 'i')}) || '.' || i || '@example.com',
    '02' || lpad(i::text, 8, '0'), case when i % 10 = 0 then 'driver' else 'sender' end, true,
    case when i % 10 = 0 then ${pick(['approved', 'approved', 'approved', 'pending', 'rejected'], 'i / 10')} end,
    'nobody', now() - i * interval '30 minutes'
  from generate_series(1, $1::int) i`

const applied = `
  insert into applications (user_id, status, id_type, id_number, id_photo, created_at)
  select id, driver_status, 'ghana_card', 'GHA-' || lpad(right(phone, 8), 9, '7') || '-0', 'http://photos.invalid/id.jpg', created_at
  from users where role = 'driver' and password_hash = 'nobody' and $1::int > 0`

/** The first deliveries are active: one for each driver (R29), by guests, as a sender may have only one (R30). */
const parcels = `
  insert into deliveries (id, status, item_description, pickup_zone, dropoff_zone, pesewas, recipient_name,
    recipient_phone, delivery_code, is_guest, sender_name, sender_phone, sender_id, sender, driver_id, driver,
    history, created_at, updated_at)
  select ${idOf('delivery', 'i')}, status, ${pick(things, 'i')}, ${pick(zones, 'i')}, ${pick(zones, 'i + 1 + i % 7')},
    1000 + (i * 37) % 9000, ${nameOf('i * 5')}, '0550000001', lpad((i::bigint * 7919 % 100000)::text, 5, '0'), guest,
    ${nameOf('s')}, '02' || lpad(s::text, 8, '0'),
    case when not guest then ${idOf('user', 's')} end,
    case when not guest then jsonb_build_object('id', ${idOf('user', 's')}, 'name', ${nameOf('s')},
      'phone', '02' || lpad(s::text, 8, '0'), 'email', lower(${pick(first, 's')}) || '.' || s || '@example.com') end,
    case when driven then ${idOf('user', 'd')} end,
    case when driven then jsonb_build_object('id', ${idOf('user', 'd')}, 'name', ${nameOf('d')},
      'phone', '02' || lpad(d::text, 8, '0'), 'email', lower(${pick(first, 'd')}) || '.' || d || '@example.com') end,
    jsonb_path_query_array(jsonb_build_array(
      jsonb_build_object('status', 'Pending', 'at', made),
      case when driven then jsonb_build_object('status', 'Accepted', 'at', made + took * 0.2, 'occurredAt', made + took * 0.15) end,
      case when status in ('Picked Up', 'Delivered', 'Approved') then jsonb_build_object('status', 'Picked Up', 'at', made + took * 0.5) end,
      case when status in ('Delivered', 'Approved') then jsonb_build_object('status', 'Delivered', 'at', made + took) end,
      case when status = 'Approved' then jsonb_build_object('status', 'Approved', 'at', made + took * 1.2) end,
      case when status = 'Cancelled' then jsonb_build_object('status', 'Cancelled', 'at', made + took) end
    ), '$[*] ? (@ != null)'), made, made + took * 1.2
  from (
    select i, 1 + (i * 31) % $2::int as s, 10 * (1 + i % $3::int) as d, status, status not in ('Approved', 'Cancelled') as guest,
      status in ('Accepted', 'Picked Up', 'Delivered', 'Approved') as driven,
      now() - interval '2 hours' - case
        when status in ('Approved', 'Cancelled') then random() * random() * interval '200 days'
        else random() * interval '1 day' end as made,
      interval '20 minutes' + random() * interval '90 minutes' as took
    from (select i, case
        when i < $3::int / 2 then 'Accepted' when i < $3::int then 'Picked Up'
        when i < $3::int + $1::int / 40 then 'Pending' when i < $3::int + $1::int / 25 then 'Delivered'
        when i % 9 = 0 then 'Cancelled' else 'Approved' end as status
      from generate_series(1, $1::int) i) one
  ) all_of_them`

const paid = `
  insert into transfers (id, delivery_id, kind, at)
  select md5('release ' || id)::uuid, id, 'release', updated_at from deliveries where status = 'Approved'`

const disputed = `
  insert into disputes (id, delivery_id, issue, type, priority, created_at)
  select md5('dispute ' || id)::uuid, id, ${pick(
    [
      'The box was open when it arrived.',
      'The driver asked for more money at the door.',
      'Nobody was at the address I was given.',
    ],
    `length(delivery_code || recipient_name)`,
  )}, case when is_guest then 'sender_issue' else 'driver_issue' end, 'medium', updated_at
  from deliveries where driver_id is not null order by created_at desc limit $1::int`

const happened = `
  insert into activities (id, type, message, created_at)
  select md5('activity ' || id)::uuid, 'delivery_created', item_description || ': ' || pickup_zone || ' to ' || dropoff_zone, created_at
  from deliveries order by created_at desc limit 40`
