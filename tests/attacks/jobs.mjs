/** @typedef {import('./victim.mjs').Victim} Victim */
/** @typedef {{ token: string, id: string, phone: string }} Person */

/** Attacks of drivers on what they are paid for, and on what is thought of them (R133 to R137). @type {Record<string, (victim: Victim) => Promise<string>>} */
export const jobAttacks = {
  'a return right after the request, its whole way said to be hours old': async (victim) => {
    const { driver, id } = await jobOf(victim)
    /** @param {string} method @param {string} path @param {number} hours @param {object} body */
    const said = (method, path, hours, body) => {
      const time = new Date(Date.now() - hours * 3_600_000).toISOString()
      return victim.call(method, path, {
        token: driver.token,
        body,
        headers: { 'occurred-at': time },
      })
    }
    await said('PATCH', `/driver/deliveries/${id}/accept`, 5, {})
    await said('PATCH', `/deliveries/${id}/status`, 4, { status: 'Picked Up' })
    await said('POST', `/driver/deliveries/${id}/attempt`, 3, { reason: 'absent' })
    return `answered ${(await said('POST', `/driver/deliveries/${id}/return`, 1, {})).status}`
  },

  'a sender cancels what was delivered without a network': async (victim) => {
    const { driver, sender, id, code } = await jobOf(victim)
    const { token } = driver
    await victim.call('PATCH', `/driver/deliveries/${id}/accept`, { token })
    const headers = { 'occurred-at': new Date().toISOString() }
    const cancelled = await victim.call('PATCH', `/deliveries/${id}/status`, {
      token: sender.token,
      body: { status: 'Cancelled' },
    })
    const late = [
      await victim.call('PATCH', `/deliveries/${id}/status`, {
        token,
        headers,
        body: { status: 'Picked Up' },
      }),
      await victim.call('POST', `/driver/deliveries/${id}/complete`, {
        token,
        headers,
        body: { code },
      }),
    ]
    const statuses = late.map(({ status }) => status).join(', ')
    const { refund } = cancelled.body.delivery
    return `refund ${refund}; the late steps are answered ${statuses}, dispute ${late[1]?.body.dispute?.status}`
  },

  'a driver who gave a job back repeats the guest’s request with its key': async (victim) => {
    const driver = await victim.approvedDriver()
    const headers = { 'idempotency-key': victim.key() }
    const body = victim.request({ senderName: 'Yaw', senderPhone: '0209876543' })
    const create = () => victim.call('POST', '/guest/deliveries', { body, headers })
    const { ID: id } = (await create()).body.delivery
    const { token } = driver
    await victim.call('PATCH', `/driver/deliveries/${id}/accept`, { token })
    const reason = { reason: 'Tyre' }
    await victim.call('POST', `/driver/deliveries/${id}/release`, { token, body: reason })
    const { status, body: repeated } = await create()
    const hasSecrets = JSON.stringify(repeated).match(/"(guestToken|deliveryCode)":"./) !== null
    return `answered ${status}, ${hasSecrets ? 'with' : 'without'} token and code`
  },

  'a driver reports in the sender’s name': async (victim) => {
    const { driver, id } = await jobOf(victim, 'Picked Up')
    const body = { deliveryId: id, issue: 'Not paid', type: 'sender_issue', priority: 'medium' }
    return `answered ${(await victim.call('POST', '/disputes', { token: driver.token, body })).status}`
  },

  'a driver reads the contacts of 12 jobs, accepting and giving back each': async (victim) => {
    const driver = await victim.approvedDriver()
    const { token } = driver
    let read = 0
    for (let n = 0; n < 12; n++) {
      const { id } = await jobOf(victim)
      const accepted = await victim.call('PATCH', `/driver/deliveries/${id}/accept`, { token })
      if (accepted.body.delivery?.recipientPhone) read++
      const body = { reason: 'Tyre' }
      await victim.call('POST', `/driver/deliveries/${id}/release`, { token, body })
    }
    return `${read} read`
  },

  '20 guesses of a delivery’s code': async (victim) => {
    const { driver, id, code } = await jobOf(victim, 'Picked Up')
    const { token } = driver
    /** @param {string} tried */
    const complete = (tried) =>
      victim.call('POST', `/driver/deliveries/${id}/complete`, { token, body: { code: tried } })
    let guess = Number(code)
    const wrong = await counted(20, () => complete(String((++guess % 90_000) + 10_000)))
    return `${wrong}; the right one then ${(await complete(code)).status}`
  },

  '30 attempts of one job': async (victim) => {
    const { driver, id } = await jobOf(victim, 'Picked Up')
    const about = { token: driver.token, body: { reason: 'absent', note: 'x'.repeat(1_000) } }
    return counted(30, () => victim.call('POST', `/driver/deliveries/${id}/attempt`, about))
  },

  'one job accepted and given back again and again': async (victim) => {
    const { driver, id } = await jobOf(victim)
    const { token } = driver
    return counted(8, async () => {
      const accepted = await victim.call('PATCH', `/driver/deliveries/${id}/accept`, { token })
      const body = { reason: 'Tyre' }
      await victim.call('POST', `/driver/deliveries/${id}/release`, { token, body })
      return accepted
    })
  },

  'a driver carries for themselves, as a guest and as the recipient': async (victim) => {
    const driver = await victim.approvedDriver()
    const sender = await victim.signUp('sender')
    const asGuest = { senderName: 'Me', senderPhone: driver.phone }
    const made = [
      await victim.call('POST', '/guest/deliveries', { body: victim.request(asGuest) }),
      await victim.call('POST', '/sender/deliveries', {
        token: sender.token,
        body: victim.request({ recipientPhone: driver.phone }),
      }),
    ]
    const answers = []
    for (const { body } of made)
      answers.push(
        await victim.call('PATCH', `/driver/deliveries/${body.delivery?.ID}/accept`, {
          token: driver.token,
        }),
      )
    return answers.map(({ status }) => status).join(', ')
  },

  'three guests rate a rival with one star': async (victim) => {
    const { driver } = await jobOf(victim)
    for (let n = 0; n < 3; n++) {
      const senderPhone = `020700000${n}`
      const body = victim.request({ senderName: 'X', senderPhone, offer: 1 })
      const made = (await victim.call('POST', '/guest/deliveries', { body })).body
      const id = made.delivery?.ID
      await carry(victim, driver, id, 'Picked Up')
      const { deliveryCode: code } = made.delivery
      await victim.call('POST', `/driver/deliveries/${id}/complete`, {
        token: driver.token,
        body: { code },
      })
      const guest = { token: made.guestToken }
      const approved = { status: 'Approved', guestPhone: senderPhone }
      await victim.call('PATCH', `/guest/deliveries/${id}/status`, { ...guest, body: approved })
      await victim.call('POST', `/deliveries/${id}/rating`, { ...guest, body: { stars: 1 } })
    }
    const { user } = (await victim.call('GET', '/users/me', { token: driver.token })).body
    return `the rival has ${user.rating ? `${user.rating.average} stars` : 'no such average'}`
  },

  'offers and shares of a billionth of a cedi': async (victim) => {
    const { token } = await victim.signUp('sender')
    const body = victim.request({ offer: 1e-9 })
    return `answered ${(await victim.call('POST', '/sender/deliveries', { token, body })).status}`
  },

  'an expired licence is removed, or replaced by one that nobody has seen': async (victim) => {
    const { driver, id } = await jobOf(victim)
    /** @param {object} body */
    const card = (body) => victim.call('PATCH', '/driver/card', { token: driver.token, body })
    await card({ licenceNumber: 'CL-1', licenceExpires: '2020-01-01' })
    const statuses = []
    for (const body of [
      { licenceNumber: '', licenceExpires: '' },
      { licenceNumber: 'CL-2', licenceExpires: '2099-01-01' },
    ]) {
      await card(body)
      const { status } = await victim.call('PATCH', `/driver/deliveries/${id}/accept`, {
        token: driver.token,
      })
      statuses.push(status)
    }
    return `accepting is answered ${statuses.join(', ')}`
  },
}

/** A request of a new sender, and an approved driver who has brought it this far. @param {Victim} victim @param {'Picked Up'} [to] */
async function jobOf(victim, to) {
  const driver = await victim.approvedDriver()
  const sender = await victim.signUp('sender')
  const about = { token: sender.token, body: victim.request() }
  const { ID: id, deliveryCode: code } = (await victim.call('POST', '/sender/deliveries', about))
    .body.delivery
  if (to) await carry(victim, driver, id, to)
  return { driver, sender, id, code }
}

/** @param {Victim} victim @param {Person} driver @param {string} id @param {string} status */
async function carry(victim, { token }, id, status) {
  await victim.call('PATCH', `/driver/deliveries/${id}/accept`, { token })
  await victim.call('PATCH', `/deliveries/${id}/status`, { token, body: { status } })
}

/** How often each status was answered. @param {number} times @param {() => Promise<{ status: number }>} call */
async function counted(times, call) {
  /** @type {Record<number, number>} */
  const counts = {}
  for (let n = 0; n < times; n++) {
    const { status } = await call()
    counts[status] = (counts[status] ?? 0) + 1
  }
  return Object.entries(counts)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ')
}
