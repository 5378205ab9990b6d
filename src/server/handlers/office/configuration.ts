import { pauseEnd } from '#domain/office/pause.ts'
import { minute } from '#domain/product.ts'
import type { Handlers } from '../../ports/handler.ts'
import type { Ports } from '../../ports/ports.ts'
import { changeOffice, readOffice } from '../../rules/office/office-settings.ts'

/** What everybody reads of the configuration, and what the office sets of it (R204). */
export function settingsHandlers({
  options,
  push,
}: Ports): Pick<Handlers, 'config' | 'adminSettings' | 'changeSettings'> {
  const { imageUploadUrl, imageUploadPreset, idUploadPreset, imageHost, endings } = options
  const { minClientVersion } = options
  const configured = {
    imageUploadUrl,
    imageUploadPreset,
    idUploadPreset,
    imageHost,
    autoApproveHours: endings.autoApprove / (60 * minute),
    returnShare: endings.returnShare,
    waitMinutes: endings.wait / minute,
    minOffer: options.minOffer,
    feePercent: options.payments.feePercent,
    idempotencyDays: options.idempotencyDays,
    ...(minClientVersion ? { minClientVersion } : {}),
    ...(push ? { pushKey: push.publicKey } : {}),
  }
  return {
    config:
      ({ at }) =>
      async (stores) => {
        const office = await readOffice(stores, options)
        const end = pauseEnd(office, Date.parse(at))
        const pausedUntil = end === undefined ? undefined : new Date(end).toISOString()
        // In the demo the way to pay can change while the server runs.
        const payments = options.payments.mode
        return { body: { ...configured, payments, ...office, pausedUntil } }
      },

    adminSettings: () => async (stores) => ({
      body: { settings: await readOffice(stores, options) },
    }),

    changeSettings:
      ({ input, at }) =>
      async (stores) => {
        const settings = await changeOffice(stores, options, input, at)
        await stores.publish({ about: 'config', to: [], everyone: true })
        return { body: { settings }, subject: Object.keys(input).join(', ') }
      },
  }
}
