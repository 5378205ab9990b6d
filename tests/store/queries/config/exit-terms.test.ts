import { expect, test } from 'vitest'
import { defaultEndingTerms } from '#domain/deliveries/endings/incidents.ts'
import { minute } from '#domain/product.ts'
import { endingTerms } from '#store/queries/config/ending-terms.ts'
import { deliveryRow } from '#store/queries/deliveries.ts'
import { putState } from '#sync/database/device/state.ts'
import { deliveryOf, saveRows } from '../../../helpers/device/context.ts'
import { createDevice, person, signIn } from '../../../helpers/device/device.ts'

test('R103, R105, R106: the terms are the server’s, or the usual ones of a backend that tells none', async () => {
  const { db } = createDevice()
  expect(await endingTerms(db)).toEqual(defaultEndingTerms)
  await putState(db, 'config', { imageHost: 'x', waitMinutes: 'soon' })
  expect(await endingTerms(db)).toEqual(defaultEndingTerms)
  await putState(db, 'config', { autoApproveHours: 0.5, returnShare: 0, waitMinutes: 0 })
  expect(await endingTerms(db)).toEqual({
    ...defaultEndingTerms,
    autoApprove: 30 * minute,
    returnShare: 0,
    wait: 0,
  })
})

test('R103: a phone foresees the wait that it was told, and the return after it', async () => {
  const { db, commands } = createDevice()
  await signIn(db, person('kofi', 'driver', { driverStatus: 'approved' }))
  const driver = { id: 'kofi', name: 'Kofi', phone: '0244000001' }
  const server = deliveryOf('d1', { status: 'Picked Up', driver } as never)
  await saveRows(db, 'kofi', [server])
  await commands.reportAttempt('d1', { reason: 'absent', wait: 20 * minute })
  const view = (await deliveryRow(db, 'd1'))?.view
  const { at = '' } = view?.incidents?.[0] ?? {}
  expect(Date.parse(view?.returnFrom ?? '') - Date.parse(at)).toBe(20 * minute)
  expect(view?.incidents?.[0]).not.toHaveProperty('wait')
  await expect(commands.startReturn('d1', undefined)).rejects.toMatchObject({ reason: 'wait' })
})
