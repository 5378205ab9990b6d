import { toast } from '../../toasts.ts'

/** Copies `text` and shows a toast that names it `what`. Never rejects. */
export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast({ title: 'Copied', text: `${what} is on your clipboard.` })
  } catch {
    // An old browser, or a page without https, has no clipboard: the toast shows the text instead.
    toast({ title: 'Not copied', text: `${what}: ${text}`, destructive: true })
  }
}
