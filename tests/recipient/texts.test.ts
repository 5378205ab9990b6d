import { expect, test } from 'vitest'
import {
  asOf,
  messageLinks,
  needsCode,
  noteToDriver,
  stepOf,
  whomToCall,
} from '#recipient/texts.ts'

const parcel = {
  status: 'Accepted',
  itemDescription: 'Kente & beads',
  senderName: 'Ama',
  at: '2026-11-24T09:00:00.000Z',
}
const withDriver = { ...parcel, driver: { name: 'Yaw', phone_number: '0241234567' } }
const noon = new Date(2026, 10, 24, 12)
const statuses = ['Pending', 'Accepted', 'Picked Up', 'Delivered', 'Approved', 'Cancelled']

test('R111: each status says who does what, and names no one who is not known', () => {
  const titles = statuses.map((status) => stepOf({ ...withDriver, status }, noon).title)
  expect(titles).toEqual([
    'Waiting for a driver',
    'Yaw will bring it',
    'Yaw is on the way to you',
    'Handed over',
    'Handed over',
    'Cancelled',
  ])
  for (const status of statuses) {
    const { title, text } = stepOf({ ...parcel, status }, noon)
    expect(`${title} ${text}`).not.toMatch(/undefined|Yaw/)
  }
  const updatedAt = new Date(2026, 10, 24, 11, 40).toISOString()
  expect(stepOf({ ...withDriver, status: 'Delivered', updatedAt }, noon).text).toBe(
    'Yaw gave you the parcel at 11:40.',
  )
  // A status of a later server is shown as it is.
  expect(stepOf({ ...parcel, status: 'Held' }, noon)).toEqual({ title: 'Held', text: '' })
})

test('R111: the code is shown until the parcel is handed over, and while nothing is known', () => {
  expect(needsCode(undefined)).toBe(true)
  const shown = statuses.filter((status) => needsCode({ ...parcel, status }))
  expect(shown).toEqual(['Pending', 'Accepted', 'Picked Up'])
})

test('R111: a note to the driver is whole in both links', () => {
  const note = noteToDriver(parcel, '  the guard #2 ')
  const { sms, whatsapp } = messageLinks(note, '0241234567')
  const said = "About “Kente & beads”: I'm not there. Please leave it with the guard #2."
  expect(sms.startsWith('sms:0241234567?body=')).toBe(true)
  expect(whatsapp.startsWith('https://wa.me/233241234567?text=')).toBe(true)
  for (const link of [sms, whatsapp]) {
    const [, query = ''] = link.split(/\?(?:body|text)=/)
    expect(decodeURIComponent(query)).toBe(said)
    expect(query).not.toMatch(/[&# ]/)
  }
})

test('R111: an older status names its day', () => {
  const now = new Date(2026, 10, 24, 15, 0)
  expect(asOf(new Date(2026, 10, 24, 14, 5).toISOString(), now)).toBe('as of 14:05')
  expect(asOf(new Date(2026, 10, 22, 14, 5).toISOString(), now)).toBe('as of Sun 22 Nov, 14:05')
})

test('R111, R162: whoever did not get the parcel is told whom to call, the operator where there is a help line', () => {
  expect(whomToCall(parcel, 'SOMA-7F3K', false)).toBe('Call Ama now, who can report it.')
  expect(whomToCall(parcel, 'SOMA-7F3K', true)).toBe(
    'Call Ama now, who can report it. Or call us, and say that it is about SOMA-7F3K.',
  )
})
