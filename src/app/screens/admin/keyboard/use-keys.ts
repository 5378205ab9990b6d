import { useEffect, useRef } from 'react'
import { jsonItem } from '../../../browser/json-storage.ts'

/** What a key does, by its name in `KeyboardEvent.key` in small letters. */
type Keys = Record<string, (event: KeyboardEvent) => void>

const typing = 'input, textarea, select, [contenteditable]'

/**
 * Single keys that do something while the component is mounted. They rest while somebody types, while a
 * dialog is open, with Ctrl, Alt or Meta, and while shortcuts are switched off.
 */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, target } = event
      if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return
      if (target instanceof Element && target.closest(typing)) return
      if (document.querySelector('dialog[open]') || !areKeysOn()) return
      const name = key.toLowerCase()
      const act = Object.hasOwn(latest.current, name) ? latest.current[name] : undefined
      if (!act) return
      event.preventDefault()
      act(event)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

const setting = jsonItem(() => localStorage, 'admin-keys')

/** Whether single keys are shortcuts on this device. Who dictates, or types by mistake, switches them off. */
export const areKeysOn = (): boolean => setting.get() !== 'off'

/** Keeps the choice on this device, where it has storage. */
export const setKeysOn = (isOn: boolean): void => (isOn ? setting.remove() : setting.set('off'))
