import { paths, roomPath } from '#app/paths.ts'
import type { SendDraft } from '#domain/deliveries/draft.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { type PersonaKey, personas } from '../../simulation/personas.ts'
import type { TourName } from './state.ts'

/** What decides whether a step is done. */
export type TourFacts = {
  /** The path below the demo's home. */
  path: string
  /** The tour's delivery, as the active persona's device has it. */
  row: DeliveryRow | undefined
  /** The secret of its QR code, on the device that drew it. */
  secret: string | undefined
  /** Whether the pending driver's application is decided, as the admin's device has it. */
  isReviewed: boolean
}

export type Step = {
  persona: PersonaKey
  /** The screen of the step; `id`: the tour's delivery. */
  path: (id: string) => string
  /** Shown until the visitor is on that screen as that persona. */
  lead: string
  instruction: string
  reason: string
  /** What to highlight: the first visible match. `text`: what the element must contain. */
  target?: readonly { selector: string; text?: string }[]
  /** Fills the persona's Send form in before the step begins. */
  draft?: Partial<SendDraft>
  /** The driver stands at the door with no network, and the tour holds the recipient's QR code up. */
  isHandover?: true
  /** Whether it has happened, at the server where that decides. Without it the visitor reads, and goes on. */
  done?: (facts: TourFacts) => boolean
  /** Milliseconds for which it stays once it is done. */
  pause?: number
}

/** The guest's request. No simulated delivery has the same description. */
export const tourDraft = {
  itemDescription: 'Kente cloth for a wedding',
  pickupZone: 'Osu',
  dropoffZone: 'Tema',
  recipientName: 'Adwoa Sarpong',
  recipientPhone: '0244555018',
  offer: '65',
}

const isConfirmed = (row: DeliveryRow | undefined, status: string) =>
  row?.known === true && row.marks.length === 0 && row.view.status === status

const isTaken = (row: DeliveryRow | undefined) =>
  row?.view.status === 'Accepted' || row?.view.status === 'Picked Up'

/** One delivery, from the request to the payment: a minute, and ten taps with the one that begins it. */
const parcel: readonly Step[] = [
  {
    persona: 'guest',
    path: () => `${paths.send}?step=3`,
    lead: 'One parcel through everybody’s hands. It begins with a guest, who needs no account.',
    instruction: 'Esi has filled her request in. Press Request Delivery.',
    reason: 'It is saved as she types. With no signal it waits on her phone, and goes by itself.',
    target: [{ selector: '#main form button[type="submit"]' }],
    draft: tourDraft,
    done: ({ row, secret }) => row?.known === true && secret !== undefined,
  },
  {
    persona: 'driver',
    path: () => paths.drive,
    lead: 'Sent, exactly once. Esi shares the code with the recipient. Now somebody has to carry it.',
    instruction: 'On its card, press Accept Job.',
    reason: 'Every approved driver sees it. Of two who accept at once, one gets the job.',
    target: [
      { selector: 'dialog[open] button', text: 'Accept Job' },
      {
        selector: `article[aria-label="${tourDraft.itemDescription}"] button`,
        text: 'Accept Job',
      },
    ],
    // Not confirmed yet: the app shows the job's own screen at once.
    done: ({ row }) => isTaken(row),
  },
  {
    persona: 'driver',
    path: roomPath,
    lead: 'Yaw has accepted the job. To the pickup!',
    instruction: 'Accepted. Press Mark as Picked Up.',
    reason:
      'Only now does Yaw see whom to call and where the door is. He can still give the job back.',
    target: [{ selector: '[data-main-action] button', text: 'Mark as Picked Up' }],
    done: ({ row }) => isConfirmed(row, 'Picked Up') || isConfirmed(row, 'Delivered'),
  },
  {
    persona: 'driver',
    path: roomPath,
    lead: 'Yaw has the parcel. To the recipient’s door!',
    instruction: 'At Adwoa’s door, with no signal: the tour has switched the network off.',
    reason: 'Adwoa has the QR code from Esi. Yaw’s phone checks it with no network.',
    isHandover: true,
    done: ({ row }) =>
      row?.marks.some(({ proved }) => proved) === true || isConfirmed(row, 'Delivered'),
    pause: 2_500,
  },
  {
    persona: 'driver',
    path: roomPath,
    lead: 'Handed over. Back to where there is signal.',
    instruction: 'The signal is back: the hand-over sends by itself.',
    reason: 'Nothing is lost in a dead zone, and nothing arrives twice.',
    done: ({ row }) => isConfirmed(row, 'Delivered'),
    pause: 1_500,
  },
  {
    persona: 'guest',
    path: roomPath,
    lead: 'Handed over with no signal, and sent by itself afterwards. Now Esi pays Yaw.',
    instruction: 'Press Confirm and pay, choose how, and press I’ve paid.',
    reason:
      'No money passes through the app. Yaw reads how Esi paid, and can say for 24 hours that it did not arrive.',
    target: [
      { selector: 'dialog[open] button:enabled', text: "I've paid" },
      { selector: 'dialog[open] fieldset:has(input[value="momo"])' },
      { selector: '[data-main-action] button', text: 'Confirm and pay' },
    ],
    done: ({ row }) => isConfirmed(row, 'Approved'),
  },
]

/** A day at the desk. */
const office: readonly Step[] = [
  {
    persona: 'admin',
    path: () => paths.admin,
    lead: 'The office, where Naa looks after the platform.',
    instruction: 'What waits comes first, what is late on top.',
    reason: 'Each row is one click from where it is done. Figures and plots stand below.',
    target: [{ selector: 'section[aria-label="Work list"]' }],
  },
  {
    persona: 'admin',
    path: () => `${paths.adminDrivers}/review?id=${personas.pending.id}`,
    lead: 'Fuseini has applied to drive.',
    instruction: 'Compare his card with the number, and press Approve.',
    reason:
      'The card is shown to admins alone. Naa has ten seconds to undo it, which the tour skips; Fuseini hears of it at once.',
    target: [{ selector: '[aria-label="Decision"] button:enabled', text: 'Approve' }],
    done: ({ isReviewed }) => isReviewed,
    pause: 1_500,
  },
  {
    persona: 'admin',
    path: () => `/admin/search?q=${personas.driver.phone}`,
    lead: 'Approved: Fuseini can drive. Now somebody calls the office.',
    instruction: 'A caller’s number finds the person and their parcels.',
    reason: 'So does a name, an e-mail address, a reference, a zone or an ID number.',
    target: [{ selector: '#main section' }],
  },
  {
    persona: 'admin',
    path: () => paths.adminDeliveries,
    lead: 'And every delivery has a place.',
    instruction: 'Open a delivery: all about it stands there, and what the office can do.',
    reason: 'Another driver, a corrected zone, the code by SMS: each with a reason that both read.',
    target: [{ selector: '#main [data-list-row]' }],
  },
  {
    persona: 'admin',
    path: () => paths.adminDisputes,
    lead: 'Sometimes two people disagree.',
    instruction: 'The oldest dispute comes first, with the times of both phones.',
    reason: 'Both sides, photos, tries and codes stand on one page. Both read the decision.',
    target: [{ selector: '#main [data-list-row]' }],
  },
]

/** Each tour, with what is said once it is over. */
export const tours: Record<TourName, { steps: readonly Step[]; end: string; after: string }> = {
  parcel: {
    steps: parcel,
    end: 'One parcel, from the request to the payment.',
    after:
      'All of it ran in this browser: the app, the server and its database. Open a second tab as somebody else, or make the network lossy, and try to lose something.',
  },
  office: {
    steps: office,
    end: 'That is a day at the desk.',
    after:
      'It works on a phone too, and what was opened before can be read with no network. Look around: nothing here can break.',
  },
}
