import type { ScanState } from '#scan/scan.ts'
import type { Verdict } from './judge.ts'

type Problem = Extract<ScanState, { is: 'problem' }>['problem']
type Why = Extract<Verdict, { is: 'wrong' }>['why']

/** Why nothing can be scanned, and what the driver can do. */
export const problemTexts: Record<Problem, { title: string; text: string }> = {
  denied: {
    title: 'Camera not allowed',
    text: "Allow the camera for this site in your browser's settings, then retry.",
  },
  none: { title: 'No camera found', text: 'This phone has no camera the app can use.' },
  failed: {
    title: "The camera didn't start",
    text: 'Another app may be using it. Close that app, then retry.',
  },
  'no decoder': {
    title: 'Scanner not available',
    text: 'Connect once to load it, then retry.',
  },
}

/** What is known of a wrong code. */
export const wrongTexts: Record<Why, string> = {
  'another delivery': 'This code is for another delivery.',
  'not Soma': "This isn't a Soma code.",
  altered: "Don't hand over. Ask the recipient to open their link again.",
}
