import { useEffect } from 'react'
import { product } from '#domain/product.ts'

/** Names the tab; the product's name comes first (spec §1). */
export function useTitle(name: string): void {
  useEffect(() => {
    document.title = name === '' ? product : `${product} · ${name}`
  }, [name])
}
