import { jsonItem } from '../../../browser/json-storage.ts'

const setting = jsonItem(() => localStorage, 'admin-keys')

/** Whether single keys are shortcuts on this device. Who dictates, or types by mistake, switches them off. */
export const areKeysOn = (): boolean => setting.get() !== 'off'

/** Keeps the choice on this device, where it has storage. */
export const setKeysOn = (isOn: boolean): void => (isOn ? setting.remove() : setting.set('off'))
