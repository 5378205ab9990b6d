import type { DraftField, DraftProblem } from '#domain/deliveries/draft.ts'

/** The steps of the request form, with the fields of each. */
export const steps: readonly { name: string; fields: readonly DraftField[] }[] = [
  { name: 'What', fields: ['itemDescription', 'photo', 'note'] },
  {
    name: 'Where',
    fields: [
      'pickupZone',
      'dropoffZone',
      'pickupPlace.text',
      'pickupPlace.note',
      'dropoffPlace.text',
      'dropoffPlace.note',
    ],
  },
  {
    name: 'Who',
    fields: [
      'senderName',
      'senderPhone',
      'recipientName',
      'recipientPhone',
      'offer',
      'payer.phone',
      'payer.network',
    ],
  },
]

/** The number of the last step; they are counted from 1. */
export const lastStep = steps.length

/** The step that an address names; the first where it names none. */
export function stepIn(search: URLSearchParams): number {
  const step = Number(search.get('step'))
  return Number.isInteger(step) && step >= 1 && step <= lastStep ? step : 1
}

/** What is wrong in a step. */
export const problemsIn = (step: number, problems: readonly DraftProblem[]): DraftProblem[] =>
  problems.filter(({ field }) => steps[step - 1]?.fields.includes(field))

/** The first step in which something is wrong, up to `upTo`. */
export const firstWrongStep = (problems: readonly DraftProblem[], upTo = lastStep) =>
  steps.findIndex((_, at) => at < upTo && problemsIn(at + 1, problems).length > 0) + 1 || undefined
