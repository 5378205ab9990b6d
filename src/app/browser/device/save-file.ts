import { product } from '#domain/product.ts'

/** Downloads a file as `soma-earnings-2026-11-21.csv`. `type`: how its name ends. */
export function saveFile(file: Blob, what: string, type: 'csv' | 'json'): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  const day = new Date().toISOString().slice(0, 10)
  link.download = `${product.toLowerCase()}-${what}-${day}.${type}`
  link.click()
  // The browser reads it after the click has returned.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
