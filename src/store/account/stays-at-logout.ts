import type { DeviceState } from '#sync/database/device/state.ts'

/** State that stays when a person logs out; every other names an account, a list or a photo. */
export const staysAtLogout: ReadonlySet<string> = new Set<
  keyof DeviceState | 'notifications:guest'
>([
  'config',
  'reachable',
  'lastSyncAt',
  'bytes',
  'room',
  'silentBatches',
  'updateRequired',
  'supportCode',
  'dataSaver',
  'notifications:guest',
])
