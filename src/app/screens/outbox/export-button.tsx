import { product } from '#domain/product.ts'
import { attempt } from '../../browser/attempt.ts'
import { Button } from '../../components/forms/button.tsx'
import { useSoma } from '../../hooks/use-soma.ts'

/** Saves everything unsent, and what was set aside, as one file (S30, S58). */
export function ExportButton() {
  const { unsentFile } = useSoma()
  const save = () =>
    attempt('Error', async () => {
      const now = Date.now()
      const url = URL.createObjectURL(await unsentFile())
      const link = document.createElement('a')
      link.href = url
      link.download = `${product.toLowerCase()}-unsent-${new Date(now).toISOString().slice(0, 10)}.json`
      link.click()
      // The browser reads it after the click has returned.
      setTimeout(() => URL.revokeObjectURL(url), 60_000)
    })
  return (
    <Button look="line" icon="down" tight onClick={save}>
      Export
    </Button>
  )
}
