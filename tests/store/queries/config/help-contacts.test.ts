import { expect, test } from 'vitest'
import { retention } from '#domain/personal/retention.ts'
import { helpContacts } from '#store/queries/config/help-contacts.ts'
import { privacy } from '#store/queries/config/privacy.ts'
import { putState } from '#sync/database/device/state.ts'
import { createDevice } from '../../../helpers/device/device.ts'

test('R162, R204, R227: the help line, the terms and the announcement are what the server said last, and no address that runs a script', async () => {
  const { db } = createDevice()
  expect(await helpContacts(db)).toEqual({})
  const told = {
    supportPhone: '0302123456',
    whatsapp: '0244123456',
    terms: 'Be kind.',
    termsUrl: 'https://soma.example/terms',
    announcement: 'No trips to Tema.',
  }
  await putState(db, 'config', told)
  expect(await helpContacts(db)).toEqual(told)
  await putState(db, 'config', { supportPhone: 233, termsUrl: 'javascript:alert(1)' })
  expect(await helpContacts(db)).toEqual({})
})

test('R218: the privacy text has the periods of the server, and what the office adds', async () => {
  const { db } = createDevice()
  expect(await privacy(db)).toEqual({ kept: retention })
  await putState(db, 'config', { idempotencyDays: 30, privacy: 'We are in Accra.' })
  expect(await privacy(db)).toEqual({
    text: 'We are in Accra.',
    kept: { ...retention, response: 30 },
  })
})
