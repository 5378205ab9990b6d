import { expect, test } from 'vitest'
import { firstWrongStep, lastStep, problemsIn, stepIn, steps } from '#app/screens/send/steps.ts'
import { emptyDraft, validateDraft } from '#domain/deliveries/draft.ts'

test('every field that can be wrong stands in exactly one step', () => {
  for (const mode of ['guest', 'account'] as const)
    for (const { field } of validateDraft(emptyDraft, mode))
      expect(steps.filter(({ fields }) => fields.includes(field))).toHaveLength(1)
})

test.each([
  ['', 1],
  ['step=2', 2],
  ['step=3', 3],
  ['step=4', 1],
  ['step=0', 1],
  ['step=x', 1],
  ['step=1.5', 1],
])('the address "%s" opens step %i', (search, step) => {
  expect(stepIn(new URLSearchParams(search))).toBe(step)
})

test('the first step with something wrong is found, and only as far as asked', () => {
  const draft = { ...emptyDraft, itemDescription: 'Drum', photo: 'p' }
  const problems = validateDraft(draft, 'guest')
  expect(firstWrongStep(problems)).toBe(2)
  expect(firstWrongStep(problems, 1)).toBeUndefined()
  expect(firstWrongStep([], lastStep)).toBeUndefined()
  expect(problemsIn(2, problems).map(({ field }) => field)).toEqual(['pickupZone', 'dropoffZone'])
})
