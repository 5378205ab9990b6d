import { useRef, useState } from 'react'
import { Refusal } from '#domain/errors.ts'
import { product } from '#domain/product.ts'
import type { Imported } from '#store/commands/unsent-import.ts'
import { attempt } from '../../browser/attempt.ts'
import { Button } from '../../components/forms/button.tsx'
import { Notice } from '../../components/text/notice.tsx'
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

type Result = { done: Imported } | { problem: string }

/** Takes in a file that another phone, or this one, has saved, and says what became of it (S58). */
export function ImportFile() {
  const { commands } = useSoma()
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const [result, setResult] = useState<Result>()
  const read = async (file: File | undefined) => {
    if (!file) return
    setBusy(true)
    setResult(undefined)
    await attempt('Not imported', async () => setResult(await imported(file)))
    setBusy(false)
  }
  async function imported(file: File): Promise<Result> {
    // Before it is read: its text may not fit in the memory of a cheap phone.
    if (file.size > longestFile) return { problem: 'This file is too large.' }
    try {
      return { done: await commands.importFile(await file.text()) }
    } catch (error) {
      if (error instanceof Refusal) return { problem: error.message }
      throw error
    }
  }
  return (
    <section aria-label="Import" className="grid gap-3">
      <div role="status" className="empty:hidden">
        {result && <ResultNotice result={result} />}
      </div>
      <Button
        look="line"
        className="justify-self-start"
        disabled={busy}
        onClick={() => input.current?.click()}
      >
        {busy ? 'Importing…' : 'Import a saved file'}
      </Button>
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        aria-label="Saved file"
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          void read(file)
        }}
      />
    </section>
  )
}

/** Bytes. */
const longestFile = 64_000_000

function ResultNotice({ result }: { result: Result }) {
  if ('problem' in result)
    return (
      <Notice tone="red" title="Not imported">
        <p className="text-sm">{result.problem}</p>
      </Notice>
    )
  const { added, setAside, draft } = result.done
  const isNew = added + setAside > 0 || draft === true
  return (
    <Notice tone={isNew ? 'green' : 'gold'} title={isNew ? 'Imported' : 'Nothing new in this file'}>
      <ul className="grid gap-1 text-sm">
        {linesOf(result.done).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Notice>
  )
}

function linesOf({ added, known, setAside, draft }: Imported): string[] {
  const lines: string[] = []
  if (added > 0) lines.push(`${items(added)} waiting to be sent.`)
  if (known > 0) lines.push(`${items(known)} skipped: on this phone already.`)
  if (setAside > 0) lines.push(`${items(setAside)} could not be read, and set aside.`)
  if (draft === true) lines.push('Your draft is back.')
  if (draft === false) lines.push('Its draft was skipped: you are typing another one.')
  return lines
}

const items = (count: number): string => `${count} item${count === 1 ? '' : 's'}`
