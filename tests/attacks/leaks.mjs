/** @typedef {import('./victim.mjs').Victim} Victim */

/** Attacks that read other people's data. @type {Record<string, (victim: Victim) => Promise<string>>} */
export const leakAttacks = {
  'a driver spells out a recipient’s phone by searching available jobs': async (victim) => {
    const { token } = await victim.approvedDriver()
    const sender = await victim.signUp('sender')
    await victim.call('POST', '/sender/deliveries', { token: sender.token, body: victim.request() })
    let spelt = '055'
    let calls = 0
    for (let digit = 0; digit < 10 && spelt.length < 10; digit++) {
      const search = encodeURIComponent(spelt + digit)
      const answer = await victim.call('GET', `/driver/available-deliveries?search=${search}`, {
        token,
      })
      calls++
      if (answer.status !== 200) return `refused with ${answer.status}`
      if (answer.body.deliveries.length === 0) continue
      spelt += digit
      digit = -1
    }
    return `${spelt || 'nothing'} after ${calls} calls`
  },

  'a driver learns of accepted jobs by a forged since': async (victim) => {
    const [mine, other] = [await victim.approvedDriver(), await victim.approvedDriver()]
    const sender = await victim.signUp('sender')
    const made = await victim.call('POST', '/sender/deliveries', {
      token: sender.token,
      body: victim.request(),
    })
    const id = made.body.delivery.ID
    await victim.call('PATCH', `/driver/deliveries/${id}/accept`, { token: other.token })
    const { body } = await victim.call('GET', '/driver/available-deliveries', { token: mine.token })
    const since = `${body.cursor.split('-')[0]}-1`
    const answer = await victim.call('GET', `/driver/available-deliveries?since=${since}`, {
      token: mine.token,
    })
    return `${answer.body.removed?.includes(id) ? 'shown' : 'not shown'} a job accepted before`
  },

  'a list is requested with an invalid date in its cursor': async (victim) => {
    const { token } = await victim.signUp('sender')
    const after = Buffer.from(JSON.stringify(['9999-99-99 99:99:99+00', victim.key()])).toString(
      'base64url',
    )
    return `answered ${(await victim.call('GET', `/sender/deliveries?after=${after}`, { token })).status}`
  },

  'a stranger reads a driver’s ID photo': async (victim) => {
    const config = await victim.call('GET', '/config')
    const preset = config.body.idUploadPreset ?? config.body.imageUploadPreset
    const url = await upload(victim, jpegWithPosition(), preset)
    const answer = await fetch(url)
    return `answered ${answer.status}, ${answer.headers.get('cache-control')}`
  },

  'a stranger reads where a photo was taken': async (victim) => {
    const config = await victim.call('GET', '/config')
    const url = await upload(victim, jpegWithPosition(), config.body.imageUploadPreset)
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer())
    return bytes.includes('GPS-POSITION') ? 'the position is in the photo' : 'no position in it'
  },

  'three bytes are uploaded as a photo': async (victim) => {
    const config = await victim.call('GET', '/config')
    const answer = await sendPhoto(
      victim,
      Buffer.from([0xff, 0xd8, 0xff]),
      config.body.imageUploadPreset,
    )
    return `answered ${answer.status}`
  },

  'a database error is read in the log': async (victim) => {
    const { default: pg } = await import('pg')
    const sender = await victim.signUp('sender')
    const { readFileSync } = await import('node:fs')
    const { folder, password } = JSON.parse(readFileSync(`${victim.dataDir}/postgres.json`, 'utf8'))
    const { resolve } = await import('node:path')
    const pid = readFileSync(resolve(victim.dataDir, folder, 'postmaster.pid'), 'utf8')
    const client = new pg.Client({
      connectionString: `postgres://postgres:${password}@127.0.0.1:${pid.split('\n')[3]}/postgres`,
    })
    await client.connect()
    await client.query('begin; lock table deliveries in access exclusive mode')
    const before = victim.lines.length
    await victim.call('POST', '/sender/deliveries', { token: sender.token, body: victim.request() })
    await client.query('rollback')
    await client.end()
    const logged = victim.lines.slice(before).join('\n')
    const found = ['0551234567', 'Esi Recipient', sender.phone].filter((each) =>
      logged.includes(each),
    )
    return found.length > 0
      ? `the log has ${found.join(', ')}`
      : 'the log has no name and no number'
  },
}

/** @param {Victim} victim @param {Buffer} bytes @param {string} preset */
async function upload(victim, bytes, preset) {
  const answer = await sendPhoto(victim, bytes, preset)
  const { pathname } = new URL((await answer.json()).secure_url)
  return victim.origin + pathname
}

/** @param {Victim} victim @param {Buffer} bytes @param {string} preset */
export function sendPhoto(victim, bytes, preset) {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), 'photo.jpg')
  form.set('upload_preset', preset)
  return fetch(`${victim.origin}/api/images/upload`, {
    method: 'POST',
    body: form,
    headers: victim.elsewhere(),
  })
}

/** A JPEG of one grey pixel with a comment where a camera writes its position. */
function jpegWithPosition() {
  const pixel = Buffer.from(
    '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AN//Z',
    'base64',
  )
  const text = Buffer.from('Exif\0\0GPS-POSITION 5.6037N 0.1870W')
  const length = Buffer.from([(text.length + 2) >> 8, (text.length + 2) & 255])
  return Buffer.concat([
    pixel.subarray(0, 2),
    Buffer.from([0xff, 0xe1]),
    length,
    text,
    pixel.subarray(2),
  ])
}
