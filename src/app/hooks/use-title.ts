import { useEffect } from 'react'
import { product } from '#domain/product.ts'
import { setTabTitle } from '../browser/device/tab-title.ts'

/** Sets the tab's title to `Soma · name`. */
export function useTitle(name: string): void {
  useEffect(() => {
    setTabTitle(name === '' ? product : `${product} · ${name}`)
  }, [name])
}
