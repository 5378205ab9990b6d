import { attempt } from '../../browser/attempt.ts'
import { saveFile } from '../../browser/device/save-file.ts'
import { Button } from '../../components/forms/button.tsx'
import { useSoma } from '../../hooks/use-soma.ts'

/** Saves everything unsent, and what was set aside, as one file (S30, S58). */
export function ExportButton() {
  const { unsentFile } = useSoma()
  const save = () => attempt('Error', async () => saveFile(await unsentFile(), 'unsent', 'json'))
  return (
    <Button look="line" icon="down" tight onClick={save}>
      Export
    </Button>
  )
}
