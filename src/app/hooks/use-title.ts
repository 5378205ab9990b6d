import { useEffect } from 'react'
import { product } from '#domain/product.ts'

/** Sets the tab's title to `Soma · name`. */
export function useTitle(name: string): void {
  useEffect(() => {
    document.title = name === '' ? product : `${product} · ${name}`
  }, [name])
}
