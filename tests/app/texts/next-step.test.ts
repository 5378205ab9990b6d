import { describe, expect, test } from 'vitest'
import { receiptText } from '#app/screens/room/receipt/receipt-texts.ts'
import { announcementToasts } from '#app/texts/announcement-texts.ts'
import { nextStep, saidOfUnsent, waitsForSignal } from '#app/texts/next-step.ts'
import { endedShares, exitNote } from '#app/texts/return-texts.ts'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { toPesewas } from '#domain/money.ts'
import { NotificationKind } from '#domain/notifications/kinds.ts'
import { type Action, type OperationName, operations } from '#operations/index.ts'
import { can } from '#operations/rules.ts'
import { messageOf } from '#server/notifications/messages.ts'
import type { DeliveryRow, PendingOperation } from '#store/rows.ts'
import { present } from '../../helpers/present.ts'
import { driver, everyState, sender } from './every-state.ts'

const sides = [
  ['sender', sender],
  ['driver', driver],
] as const
const rowOf = (view: Delivery, marks: PendingOperation[] = [], server?: Delivery): DeliveryRow => ({
  account: 'u',
  ID: 'd',
  view,
  server,
  known: true,
  marks,
})

/** A text for people: words, and nothing of what the code lacks. */
function isText(text: string | undefined) {
  expect(text).toMatch(/^[A-Z₵].*\S$/)
  expect(text).not.toMatch(/undefined|null|NaN|N\/A|\[object|: \.|\.\.| {2}/)
}

/** Each state, and the same where a payment provider holds the money. */
const direct = everyState()
const provided = new Map(
  [...direct].map(([name, view]) => [
    `${name}, held by a provider`,
    { ...view, payment: { status: 'held' } },
  ]),
)
const states = new Map([...direct, ...provided])
/** The button of the next step, by what the rules allow. */
const buttons: Partial<Record<Action, string>> = {
  approveDelivery: 'approve',
  confirmReturn: 'confirm return',
  pickUpDelivery: 'pick up',
  completeDelivery: 'enter code',
}

describe('R101 to R108: every state that the rules lead to has a next step for each side', () => {
  test('the rules lead to each exit', () => {
    const names = [...states.keys()].join('\n')
    for (const flag of [
      'returned',
      'split',
      'refund',
      'release',
      'automatic',
      'disputed returning',
    ])
      expect(names).toContain(flag)
    expect(states.size).toBeGreaterThan(30)
  })

  test.each([...states])('%s', (_, view) => {
    for (const [as, actor] of sides) {
      const step = nextStep(rowOf(view), as)
      isText(step.title)
      if (step.text !== undefined) isText(step.text)
      for (const [action, button] of Object.entries(buttons))
        expect([as, button, step.action === button]).toEqual([
          as,
          button,
          can(actor, action as Action, view),
        ])
      // What others did is told.
      for (const { title, text } of announcementToasts([{ delivery: view, as }])) {
        isText(title)
        isText(text)
      }
    }
    const note = exitNote(view)
    if (note !== undefined) isText(note)
  })
})

describe('the sums that each side reads make up the offer', () => {
  for (const [name, view] of states)
    if (view.status === 'Cancelled')
      test(name, () => {
        const shares = endedShares(view)
        expect(toPesewas(shares.driver) + toPesewas(shares.sender)).toBe(toPesewas(view.offer))
        const isPaid = shares.driver > 0
        expect(/paid to you|on its way to you/.test(nextStep(rowOf(view), 'driver').title)).toBe(
          isPaid,
        )
        const { title, text } = nextStep(rowOf(view), 'sender')
        const share = `${view.payment ? 'Kofi gets' : 'You pay Kofi'} ₵${shares.driver}`
        expect(`${title} ${text}`.includes(share)).toBe(isPaid)
      })
})

describe('R171: where the sender pays the driver, nothing says that somebody else holds or moves money', () => {
  const money =
    /\b(held|holds?|releas|escrow|refund)|₵\d+ (came|comes) back|money (back|comes|goes|has gone)|has been paid/i
  const allTexts = (view: Delivery) =>
    sides.flatMap(([as]) => {
      const marks = (['approveDelivery', 'pickUpDelivery'] as const).map((op) =>
        nextStep(rowOf(view, [{ entry: 'e', op, state: 'waiting' }], view), as),
      )
      const pushes = NotificationKind.options.map((kind) =>
        messageOf({ kind, to: as, delivery: view }),
      )
      return [
        ...[nextStep(rowOf(view), as), ...marks].flatMap(({ title, text }) => [title, text]),
        ...announcementToasts([{ delivery: view, as }]).flatMap(({ title, text }) => [title, text]),
        ...pushes.flatMap(({ title, body }) => [title, body]),
        exitNote(view),
      ].filter((text) => text !== undefined)
    })
  test.each([...direct])('%s', (_, view) => {
    const refunds = view.status === 'Cancelled' ? [view.refund, 'held', 'done'] : [view.refund]
    for (const refund of refunds)
      for (const text of allTexts({ ...view, refund }))
        expect(text, `refund ${refund}`).not.toMatch(money)
  })

  test('and elsewhere some do', () => {
    const texts = [...provided.values()].flatMap((view) => allTexts({ ...view, refund: 'held' }))
    expect(texts.some((text) => money.test(text))).toBe(true)
  })
})

describe('R173: a request that is not paid never looks as if drivers saw it, or as if money had come', () => {
  const made = direct.get('Pending')
  const at = new Date().toISOString()
  const payments: [Delivery['payment'], title: string, text: string | RegExp][] = [
    [{ status: 'waiting', at }, 'Approve the payment prompt', /^It asks for ₵60\. Drivers/],
    [
      { status: 'waiting', at: '2026-11-21T10:00:00.000Z' },
      'Approve the payment prompt',
      'Nobody has approved it for 30 minutes. Try again, use another number, or cancel.',
    ],
    [{ status: 'waiting', at, otp: true }, 'Enter the voucher code', /^Your network asks/],
    [{ status: 'failed', at }, 'The payment did not go through', /^Drivers see your request once/],
    [
      { status: 'failed', at, message: 'No money' },
      'The payment did not go through',
      /^No money\./,
    ],
  ]
  test.each(payments)('%j', (payment, title, text) => {
    const view: Delivery = { ...present(made), payment }
    const { history = [], updatedAt } = view
    const step = { status: 'Cancelled' as const, at: updatedAt, by: 'office' }
    const ended: Delivery = { ...view, status: 'Cancelled', history: [...history, step] }
    const mark = { entry: 'e', op: 'cancelDelivery', state: 'waiting' } as const
    expect(nextStep(rowOf(view), 'sender')).toEqual({
      title,
      text: expect.stringMatching(text),
      action: 'open',
    })
    expect(nextStep(rowOf(ended), 'sender').text).toBe('Support cancelled it. Nothing was paid.')
    expect(receiptText(ended, 'sender')).toMatch(/\nPaid: Nothing\n/)
    for (const action of ['raiseOffer', 'acceptDelivery'] as const)
      for (const [, actor] of sides)
        expect([action, can(actor, action, view)]).toEqual([action, false])
    const steps = [
      nextStep(rowOf(view), 'sender'),
      nextStep(rowOf(view, [mark], view), 'sender'),
      nextStep(rowOf(ended), 'sender'),
    ]
    const { title: pushed, body } = messageOf({ kind: 'cancelled', to: 'sender', delivery: ended })
    const toasts = announcementToasts([{ delivery: ended, as: 'sender' }])
    for (const said of [...steps, ...toasts]
      .flatMap((each) => [each.title, each.text ?? 'None'])
      .concat(pushed, body)) {
      isText(said)
      expect(said).not.toMatch(
        /for a driver|see it|on offer|can still accept|₵\d+ (comes|came) back/,
      )
    }
  })

  test('R179: what has become of a higher offer is told while the job is on offer at the old one', () => {
    const message = 'The higher offer of ₵5 was not paid: No money.'
    const view: Delivery = { ...present(made), payment: { status: 'held', at, message } }
    expect(nextStep(rowOf(view), 'sender')).toMatchObject({
      title: 'Waiting for a driver',
      text: `Drivers see it at ₵60. ${message}`,
    })
  })

  test.each([
    ['held', '₵60 comes back to you.'],
    ['refunded', '₵60 came back to you.'],
  ])('R178: a cancelled one whose money is %s', (status, text) => {
    const view: Delivery = { ...present(made), status: 'Cancelled', payment: { status, at } }
    expect(nextStep(rowOf(view), 'sender')).toMatchObject({ title: 'Cancelled', text })
    expect(receiptText(view, 'sender')).toMatch(
      status === 'held' ? 'To be refunded: GH₵ 60.00' : 'Refunded: GH₵ 60.00, ',
    )
  })
})

describe('what is not confirmed or was refused has a next step in every state', () => {
  const marks = (Object.keys(operations) as OperationName[]).flatMap((op): PendingOperation[] => [
    { entry: 'e', op, state: 'waiting' },
    { entry: 'e', op, state: 'refused', error: { reason: 'wait', message: 'Not yet.' } },
  ])
  for (const mark of marks)
    test(`${mark.op} is ${mark.state}`, () => {
      for (const view of states.values())
        for (const [as] of sides) {
          const step = nextStep(rowOf(view, [mark], view), as)
          isText(step.title)
          if (step.text !== undefined) isText(step.text)
        }
    })
})

test.each([
  ['offline', waitsForSignal, "Not sent yet · sends when you're online"],
  ['sending', waitsForSignal, 'Sending…'],
  ['sending', "Pickup not sent yet · sends when you're online", 'Sending pickup…'],
  [
    'undoable',
    "Return not sent yet · sends when you're online",
    'Return not sent yet · you can still undo it',
  ],
  ['wifi', waitsForSignal, 'Not sent yet · sends on Wi-Fi'],
  ['sending', 'Have the item ready.', 'Have the item ready.'],
] as const)('what is not sent, %s: “%s” is said as “%s”', (why, text, said) => {
  expect(saidOfUnsent(text, why)).toBe(said)
})

describe('the texts', () => {
  const inState = (name: string) => {
    const found = [...states].find(([each]) => each === name)
    if (!found) throw new Error(`No state ${name} in ${[...states.keys()].join(', ')}`)
    return rowOf(found[1])
  }

  test('R101: the sender reads who gave the job back, and why', () => {
    expect(nextStep(inState('Pending released wasAccepted'), 'sender').text).toBe(
      'Kofi gave the job back: Flat tyre. It is on offer again.',
    )
    expect(nextStep(inState('Pending wasAccepted'), 'sender').text).toBe(
      "Your driver can't come. It is on offer again.",
    )
  })

  const job = inState('Cancelled returned returning attempts wasAccepted').view
  const cancelled = (refund: Delivery['refund']): Delivery => ({
    ...job,
    outcome: undefined,
    driverShare: undefined,
    returning: undefined,
    refund,
  })

  test.each([
    [
      'pickUpDelivery',
      'held',
      /^You picked it up .*Not sent yet.*Support then decides about ₵60\.$/,
    ],
    ['completeDelivery', 'held', /^You handed it over .*Support then decides about ₵60\.$/],
    ['completeDelivery', 'done', /^You handed it over .*The sender owes nothing\. Report an issue/],
    ['reportAttempt', 'held', /^You reported on it .*It changes nothing any more\.$/],
  ] as const)(
    'R124: the driver reads what becomes of a %s that is not sent when the cancel is heard, the money %s',
    (op, refund, text) => {
      const mark = { entry: 'e', op, state: 'waiting', proved: true } as const
      const step = nextStep(rowOf(cancelled(refund), [mark]), 'driver')
      expect(step.title).toBe('Cancelled while you were offline')
      expect(step.text).toMatch(text)
    },
  )

  test('R124: a wrong code is said also where the job was cancelled meanwhile', () => {
    const error = { reason: 'wrong-code', message: 'Wrong code.' } as const
    const mark = { entry: 'e', op: 'completeDelivery', state: 'refused', error } as const
    const step = nextStep(rowOf(cancelled('done'), [mark]), 'driver')
    expect(step).toMatchObject({ title: 'This job was cancelled', text: 'Wrong code.' })
    expect(step.isAtField).toBeUndefined()
  })

  test.each([
    [{ reason: 'Wrong details' }, 'Ama: Wrong details', 'Cancelled', undefined],
    [
      { by: 'office', reason: 'Asked twice' },
      'Support: Asked twice',
      'Cancelled',
      'Support cancelled it: Asked twice.',
    ],
    [{ by: 'office' }, 'By support', 'Cancelled', 'Support cancelled it.'],
    [{}, undefined, 'Cancelled', undefined],
  ])('R161: both sides read who cancelled and why: %j', (said, toDriver, title, toSender) => {
    const { history: _, ...rest } = cancelled(undefined)
    const step = { status: 'Cancelled' as const, at: rest.updatedAt, ...said }
    const view: Delivery = { ...rest, history: [step] }
    expect(nextStep(rowOf(view), 'driver')).toMatchObject({
      title: 'This job was cancelled',
      text: toDriver,
    })
    expect(nextStep(rowOf(view), 'sender')).toMatchObject({ title, text: toSender })
    const [toast] = announcementToasts([{ delivery: view, as: 'driver' }])
    const who = 'by' in said ? 'Support' : 'Ama'
    expect(toast?.title).toBe(
      'reason' in said ? `${who} cancelled: ${said.reason}` : 'This job was cancelled',
    )
  })

  test('R104, R105: both sides read of the return, and what it ended with', () => {
    const back = inState('Picked Up returning attempts wasAccepted')
    expect(nextStep(back, 'driver').title).toBe('Bring it back to Ama, Osu')
    expect(nextStep(back, 'sender').title).toBe(
      'Your parcel is coming back: confirm when you have it',
    )
    const ended = inState('Cancelled returned returning attempts wasAccepted')
    expect(nextStep(ended, 'sender').text).toBe('You pay Kofi ₵45, not ₵60.')
    expect(nextStep(ended, 'driver').title).toBe('Returned. ₵45 paid to you')
  })

  test('R106, R108: an approval by itself and a dispute', () => {
    const due = inState('Delivered wasAccepted')
    expect(nextStep(due, 'sender').text).toMatch(/^Approved automatically .* unless you report/)
    expect(nextStep(due, 'driver').text).toMatch(
      /^Ama pays you and confirms it\. It is approved automatically (at|on) /,
    )
    for (const [as] of sides)
      expect(nextStep(inState('Delivered disputed wasAccepted'), as).title).toBe(
        "Payment waits for an admin's decision",
      )
    expect(nextStep(inState('Approved automatic wasAccepted'), 'sender').title).toBe(
      "Approved automatically. Pay Kofi ₵60 if you haven't yet",
    )
  })

  test.each<[string, Partial<Delivery>, sender: string, driver: string, text?: string]>([
    [
      'Approved wasAccepted',
      { paidBy: 'momo', tip: 5, payout: { status: 'paid' } },
      'Done. You paid Kofi ₵60 and a tip of ₵5 by mobile money',
      'Ama says you were paid ₵60 and a tip of ₵5 by mobile money',
    ],
    [
      'Approved wasAccepted',
      { paidBy: 'cash', payout: { status: 'paid' } },
      'Done. You paid Kofi ₵60 in cash',
      'Ama says you were paid ₵60 in cash',
    ],
    [
      'Approved wasAccepted',
      { paidBy: 'cash', payout: { status: 'waiting' }, disputed: true },
      'Done. You paid Kofi ₵60 in cash',
      'Ama says you were paid ₵60 in cash',
      'You did not receive it. Support looks into it.',
    ],
    [
      'Approved automatic wasAccepted',
      { payout: { status: 'waiting' } },
      "Approved automatically. Pay Kofi ₵60 if you haven't yet",
      'Ask Ama for ₵60',
      'Approved automatically. Ama has not said how they paid.',
    ],
    [
      'Approved automatic wasAccepted',
      { payout: { status: 'paid' } },
      "Approved automatically. Pay Kofi ₵60 if you haven't yet",
      '₵60 paid to you',
      'Approved automatically.',
    ],
    [
      'Approved wasAccepted',
      { payment: { status: 'released' }, payout: { status: 'waiting' } },
      'Done. Kofi gets ₵60',
      '₵60 is on its way to you',
    ],
    [
      'Approved wasAccepted',
      { payment: { status: 'released' }, payout: { status: 'paid' }, tip: 5 },
      'Done. Kofi gets ₵60 and a tip of ₵5',
      '₵60 and a tip of ₵5 paid to you',
    ],
    [
      'Approved wasAccepted',
      { payment: { status: 'released' }, payout: { status: 'failed' } },
      'Done. Kofi gets ₵60',
      '₵60 could not be paid to you. Check your payout number',
    ],
  ])('R171: %s, with %j, is told both sides', (name, more, toSender, toDriver, text) => {
    const row = rowOf({ ...inState(name).view, ...more })
    expect(nextStep(row, 'sender').title).toBe(toSender)
    expect(nextStep(row, 'driver')).toMatchObject({ title: toDriver })
    expect(nextStep(row, 'driver').text).toBe(text)
    const [toast] = announcementToasts([{ delivery: row.view, as: 'driver' }])
    expect(toast?.title).toBe(toDriver)
  })
})
