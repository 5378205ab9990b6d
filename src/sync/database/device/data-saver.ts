import type { EngineDb } from '../engine-db.ts'
import { type DeviceState, getState, putState } from './state.ts'

/** What this device was told about its data; nothing where nobody chose. */
export const dataSaver = async (db: EngineDb): Promise<DeviceState['dataSaver']> =>
  (await getState(db, 'dataSaver')) ?? {}

/** Changes one choice and keeps the other. */
export const changeDataSaver = (db: EngineDb, change: DeviceState['dataSaver']): Promise<void> =>
  db.transaction('rw', db.meta, async () => {
    await putState(db, 'dataSaver', { ...(await getState(db, 'dataSaver')), ...change })
  })
