import { createHash, randomBytes } from 'node:crypto'
import pg from 'pg'
import { v7 } from 'uuid'

export type Person = { id: string; token: string }

/** Adds drivers who are approved, or admins, each with a session, past the API: signing up needs SMS. */
export async function addPeople(
  url: string,
  role: 'driver' | 'admin',
  count: number,
): Promise<Person[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const people: Person[] = []
  for (let n = 0; n < count; n++) {
    const person = { id: v7(), token: `u_${randomBytes(32).toString('base64url')}` }
    const email = `${role}${n}@cluster.test`
    const isDriver = role === 'driver'
    await client.query(
      `insert into users (id, name, email, email_key, phone, role, verified, driver_status, password_hash, created_at)
       values ($1, $2, $3, $3, $4, $5, true, $6, 'none', now())`,
      [person.id, `${role} ${n}`, email, phoneOf(role, n), role, isDriver ? 'approved' : null],
    )
    if (isDriver)
      await client.query(
        `insert into applications (user_id, status, id_type, id_number, id_photo, created_at)
         values ($1, 'approved', 'ghana_card', 'GHA-123456789-0', 'http://photos.test/id.jpg', now())`,
        [person.id],
      )
    const hash = createHash('sha256').update(person.token).digest('hex')
    await client.query('insert into sessions (hash, user_id, used_at) values ($1, $2, now())', [
      hash,
      person.id,
    ])
    people.push(person)
  }
  await client.end()
  return people
}

const phoneOf = (role: 'driver' | 'admin', n: number) =>
  `0${role === 'driver' ? 26 : 27}${String(2_000_000 + n)}`
