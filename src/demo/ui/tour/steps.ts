import { paths, roomPath } from '#app/paths.ts'
import type { DeliveryRow } from '#store/rows.ts'
import type { PlayerKey, Sky } from '../demo-context.ts'

/** What the tour knows of the world when it asks whether a step is done. */
export type TourFacts = {
  sky: Sky
  /** Below the demo's home. */
  path: string
  /** The delivery as the phone of whoever is played has it. */
  row: DeliveryRow | undefined
}

export type Step = {
  persona: PlayerKey
  /** The screen it is done on. */
  path: (id: string) => string
  /** Said until the visitor is there, as who does it. */
  lead: (code: string) => string
  instruction: string
  reason: string
  /** Where to look: the first of these that is there. `text`: what it must say. */
  target: { at: string; text?: string }[]
  /** It has really happened: on this phone, or by the server's word where the server has one. */
  done: (facts: TourFacts) => boolean
}

/** What the guest sends: in their own words, so that nobody's parcel has the same name. */
export const tourDraft = {
  itemDescription: 'Kente cloth for a wedding',
  pickupZone: 'Osu',
  dropoffZone: 'Tema',
  recipientName: 'Adwoa Sarpong',
  recipientPhone: '0244555018',
  offer: '65',
}

const stands = (row: DeliveryRow | undefined, status: string) =>
  row?.known === true && row.marks.length === 0 && row.view.status === status

/** One delivery through everybody's hands. */
export const steps: readonly Step[] = [
  {
    persona: 'guest',
    path: () => paths.send,
    lead: () =>
      'One parcel through everybody’s hands. It begins with a guest, who needs no account.',
    instruction: 'The request is written, with a picture drawn for it. Switch the network off.',
    reason: 'A guest needs no account, and what is typed is on the phone’s disk with every letter.',
    target: [{ at: '[data-tour="network"]' }],
    done: ({ sky }) => sky === 'off',
  },
  {
    persona: 'guest',
    path: () => paths.send,
    lead: () => 'The request lies ready to be sent.',
    instruction: 'Press Request Delivery, with no network at all.',
    reason:
      'Nothing is lost in a dead zone: request and picture are kept, and leave by themselves.',
    target: [{ at: '#main form button[type="submit"]' }],
    done: ({ row }) => row !== undefined,
  },
  {
    persona: 'guest',
    path: roomPath,
    lead: () => 'The request waits in its room.',
    instruction: 'It waits on this phone. Switch the network on, and watch it leave.',
    reason: 'It arrives exactly once, however often an answer is lost on the way.',
    target: [{ at: '[data-tour="network"]' }],
    done: ({ row }) => row?.known === true,
  },
  {
    persona: 'driver',
    path: () => paths.drive,
    lead: () => 'It has arrived, exactly once. Now somebody has to carry it.',
    instruction: 'It is on offer to every approved driver. Press Accept Job.',
    reason: 'Of two drivers who press at once, one gets it: the server decides, never the phone.',
    target: [{ at: `article[aria-label="${tourDraft.itemDescription}"] button` }],
    done: ({ row }) => stands(row, 'Accepted') || stands(row, 'Picked Up'),
  },
  {
    persona: 'driver',
    path: roomPath,
    lead: () => 'It is Yaw’s job now, by the server’s word. To the pickup!',
    instruction: 'Press Mark as Picked Up.',
    reason: 'Only now does a driver see whom to call; browsing, they saw zones and price alone.',
    target: [{ at: '#main button', text: 'Mark as Picked Up' }],
    done: ({ row }) => stands(row, 'Picked Up') || stands(row, 'Delivered'),
  },
  {
    persona: 'guest',
    path: roomPath,
    lead: () => 'Yaw has the parcel. The code that proves its hand-over stands on Esi’s phone.',
    instruction: 'Here is the delivery code.',
    reason: 'The sender passes it to whoever receives the parcel. No driver is ever shown it.',
    target: [{ at: '[data-testid="delivery-code"]' }],
    done: ({ row }) => row?.view.deliveryCode !== undefined,
  },
  {
    persona: 'driver',
    path: roomPath,
    lead: (code) => `The code is ${code}. Esi tells it to the recipient, who tells it to Yaw.`,
    instruction: 'Enter the code, and press Complete Delivery.',
    reason: 'After five wrong ones the server stops listening for a while.',
    target: [
      { at: '#main form button[type="submit"]:enabled' },
      { at: '#main form input[inputmode="numeric"]' },
    ],
    done: ({ row }) => stands(row, 'Delivered'),
  },
  {
    persona: 'guest',
    path: roomPath,
    lead: () => 'Handed over. The last word is Esi’s.',
    instruction: 'Press Approve Delivery.',
    reason: 'Approving releases the payment to the driver, in the same transaction, to the pesewa.',
    target: [
      { at: 'dialog[open] button', text: 'Approve and pay' },
      { at: '#main button', text: 'Approve Delivery' },
    ],
    done: ({ row }) => stands(row, 'Approved'),
  },
  {
    persona: 'admin',
    path: () => paths.adminDeliveries,
    lead: () => 'Paid. And this is what the platform sees of it.',
    instruction: 'Approved, and the payment released.',
    reason: 'Open it to see both sides, the code and every time; the dashboard counts the revenue.',
    target: [
      { at: '#main tr', text: tourDraft.itemDescription },
      { at: '#main article', text: tourDraft.itemDescription },
    ],
    done: ({ row, path }) => path === paths.adminDeliveries && stands(row, 'Approved'),
  },
]
