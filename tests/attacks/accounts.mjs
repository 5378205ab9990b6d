/** @typedef {import('./victim.mjs').Victim} Victim */

/** Attacks that take over, exhaust or lock out other people's accounts. @type {Record<string, (victim: Victim) => Promise<string>>} */
export const accountAttacks = {
  'a stranger resets the admin’s password by SMS': async (victim) => {
    const phone_number = '0200000000'
    await victim.call('POST', '/password/request-reset', { body: { phone_number } })
    const code = await victim.codeSentTo(phone_number).catch(() => undefined)
    if (!code) return 'no code is sent'
    const body = { phone_number, code, new_password: 'taken over by me' }
    return `answered ${(await victim.call('POST', '/password/reset', { body })).status}`
  },

  '150 sign-ups from one address': async (victim) => {
    const headers = { 'x-forwarded-for': '203.0.113.1' }
    const statuses = await many(150, 10, (n) => {
      const phone_number = `0201${String(n).padStart(6, '0')}`
      const body = {
        name: 'X',
        email: `x${n}@example.com`,
        password: victim.password,
        phone_number,
        role: 'sender',
      }
      return victim.call('POST', '/signup', { body, headers })
    })
    return counted(statuses)
  },

  '300 guest requests from one address': async (victim) => {
    const headers = { 'x-forwarded-for': '203.0.113.1' }
    return counted(
      await many(300, 10, (n) => {
        const senderPhone = `024${1_000_000 + n}`
        const body = { ...victim.request(), senderName: 'X', senderPhone }
        return victim.call('POST', '/guest/deliveries', { body, headers })
      }),
    )
  },

  '20 guest requests in the name of one number': async (victim) =>
    counted(
      await many(20, 5, () => {
        const body = { ...victim.request(), senderName: 'X', senderPhone: '0271112223' }
        return victim.call('POST', '/guest/deliveries', { body })
      }),
    ),

  'a sign-up with a number abroad, and one that imitates support': async (victim) => {
    const person = { email: 'x@example.com', password: victim.password, role: 'sender' }
    const bodies = [
      { ...person, name: 'X', phone_number: '9607771234' },
      { ...person, name: 'Soma Support', phone_number: '0271112224' },
    ]
    return counted(await many(2, 1, (n) => victim.call('POST', '/signup', { body: bodies[n] })))
  },

  'a web page spends its visitor’s address: text/plain, and a cross-site call': async (victim) => {
    const body = { email: 'x@example.com', password: 'y' }
    /** @type {Record<string, string>[]} */
    const foreign = [{ 'content-type': 'text/plain' }, { 'sec-fetch-site': 'cross-site' }]
    return counted(
      await many(2, 1, (n) => victim.call('POST', '/login', { body, headers: foreign[n] })),
    )
  },

  '40 reset requests for other numbers from one address': async (victim) => {
    const headers = { 'x-forwarded-for': '203.0.113.1' }
    return counted(
      await many(40, 5, (n) => {
        const body = { phone_number: `0202${String(n).padStart(6, '0')}` }
        return victim.call('POST', '/password/request-reset', { body, headers })
      }),
    )
  },

  '60 disputes about one delivery': async (victim) => {
    const { token } = await victim.signUp('sender')
    const made = await victim.call('POST', '/sender/deliveries', { token, body: victim.request() })
    const body = { deliveryId: made.body.delivery.ID, issue: 'Late', type: 'sender_issue' }
    return counted(await many(60, 5, () => victim.call('POST', '/disputes', { token, body })))
  },

  '60 people log in at once behind one address': async (victim) => {
    /** @type {{ email: string }[]} */
    const people = []
    for (let n = 0; n < 60; n++) people.push(await victim.signUp('sender'))
    const headers = { 'x-forwarded-for': '203.0.113.1' }
    return counted(
      await many(60, 60, (n) => {
        const body = { email: people[n]?.email, password: victim.password }
        return victim.call('POST', '/login', { body, headers })
      }),
    )
  },

  'a stranger locks somebody out by wrong passwords': async (victim) => {
    const { email } = await victim.signUp('sender')
    const headers = { 'x-forwarded-for': '203.0.113.66' }
    const wrong = { email, password: 'not the password' }
    const guesses = await many(30, 5, () => victim.call('POST', '/login', { body: wrong, headers }))
    const body = { email, password: victim.password }
    const owner = await victim.call('POST', '/login', { body, headers: victim.elsewhere() })
    return `${counted(guesses)}; the owner at another address: ${owner.status}`
  },
}

/** @param {number} count @param {number} atOnce @param {(n: number) => Promise<{ status: number }>} ask */
export async function many(count, atOnce, ask) {
  /** @type {number[]} */
  const statuses = []
  let next = 0
  const lane = async () => {
    while (next < count) statuses.push((await ask(next++)).status)
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return statuses
}

/** `201 × 10, 429 × 140`. @param {number[]} statuses */
export function counted(statuses) {
  const counts = new Map()
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts].map(([status, times]) => `${status} × ${times}`).join(', ')
}
