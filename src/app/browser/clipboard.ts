import { toast } from '../shell/toasts.ts'

/** Puts text on the clipboard and says so; `what` is its name in the toast. */
export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast({ title: 'Copied', text: `${what} is on your clipboard.` })
  } catch {
    // No clipboard here (an old browser, or plain http): the person can still read and type it.
    toast({ title: 'Not copied', text: `${what}: ${text}`, destructive: true })
  }
}
