import { paths, roomPath } from '#app/paths.ts'
import type { DeliveryRow } from '#store/rows.ts'
import type { NetworkCondition } from '../../backend/network-conditions.ts'
import type { PersonaKey } from '../../simulation/personas.ts'

/** What decides whether a step is done. */
export type TourFacts = {
  network: NetworkCondition
  /** The address below the demo's home. */
  path: string
  /** Whether the jobs are drawn on a map. */
  isMap: boolean
  /** The tour's delivery, as the active persona's device has it. */
  row: DeliveryRow | undefined
}

export type Step = {
  persona: PersonaKey
  /** The screen of the step; `id`: the tour's delivery. */
  path: (id: string) => string
  /** Shown until the visitor is on that screen as that persona; `code`: the delivery code. */
  lead: (code: string) => string
  instruction: string
  reason: string
  /** What to highlight: the first visible match. `text`: what the element must contain. */
  target: { selector: string; text?: string }[]
  /** Whether it has happened: on this device, or on the server where the server decides. */
  done: (facts: TourFacts) => boolean
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

/** Whether the server has confirmed this status and no operation is pending. */
const isConfirmed = (row: DeliveryRow | undefined, status: string) =>
  row?.known === true && row.marks.length === 0 && row.view.status === status

const isTaken = (row: DeliveryRow | undefined) =>
  row?.view.status === 'Accepted' || row?.view.status === 'Picked Up'

/** One delivery, from the request to the payment. */
export const steps: readonly Step[] = [
  {
    persona: 'guest',
    path: () => paths.send,
    lead: () =>
      'One parcel through everybody’s hands. It begins with a guest, who needs no account.',
    instruction: 'Your request is ready. Switch the network off.',
    reason: 'A guest needs no account, and a request is saved as you type.',
    target: [{ selector: '[data-tour="network"]' }],
    done: ({ network }) => network === 'off',
  },
  {
    persona: 'guest',
    path: () => paths.send,
    lead: () => 'Your request is ready to send.',
    instruction: 'Continue through its steps and press Request Delivery, with no network at all.',
    reason:
      'Nothing is lost in a dead zone: request and photo are kept, and sent once you are online.',
    target: [{ selector: '#main form button[type="submit"]' }],
    done: ({ row }) => row !== undefined,
  },
  {
    persona: 'guest',
    path: roomPath,
    lead: () => 'The request waits in its room.',
    instruction: 'It is not sent yet. Switch the network on, and watch it go.',
    reason:
      'It is posted exactly once, however bad the connection is. If nobody accepts, Esi can raise the offer.',
    target: [{ selector: '[data-tour="network"]' }],
    done: ({ row }) => row?.known === true,
  },
  {
    persona: 'driver',
    path: () => paths.drive,
    lead: () => 'It has arrived, exactly once. Now somebody has to carry it.',
    instruction: 'Every approved driver sees it. Press Map.',
    reason:
      'The jobs by number, with no network too. Your way finds those along his commute, with the extra kilometres.',
    target: [{ selector: '#main button', text: 'Map' }],
    done: ({ isMap, row }) => isMap || isTaken(row),
  },
  {
    persona: 'driver',
    path: () => paths.drive,
    lead: () => 'Yaw has seen where it goes.',
    instruction: 'On its card, press Accept Job.',
    reason: 'Of two drivers who accept at once, one gets the job.',
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
    lead: () => 'Yaw has accepted the job. To the pickup!',
    instruction: 'Accepted. Press Mark as Picked Up.',
    reason:
      'Only now does Yaw see whom to call and where the door is. He can still give the job back.',
    target: [{ selector: '[data-main-action] button', text: 'Mark as Picked Up' }],
    done: ({ row }) => isConfirmed(row, 'Picked Up') || isConfirmed(row, 'Delivered'),
  },
  {
    persona: 'guest',
    path: roomPath,
    lead: () => 'Yaw has the parcel. The code that proves the hand-over is on Esi’s phone.',
    instruction: 'Here is the delivery code.',
    reason:
      'The sender passes on the digits, or the QR code under Show QR. No driver is ever shown it.',
    target: [{ selector: '[data-testid="delivery-code"]' }],
    done: ({ row }) => row?.view.deliveryCode !== undefined,
  },
  {
    persona: 'driver',
    path: roomPath,
    lead: (code) => `The code is ${code}. Esi tells it to the recipient, who tells it to Yaw.`,
    instruction: 'Enter the code, and press Complete Delivery.',
    reason:
      'Scan code reads the QR code, with no network too. Nobody there? I can’t deliver leads back.',
    target: [
      { selector: '[data-main-action] button[type="submit"]:enabled' },
      { selector: '#main form div:has(> input[inputmode="numeric"])' },
    ],
    done: ({ row }) => isConfirmed(row, 'Delivered'),
  },
  {
    persona: 'guest',
    path: roomPath,
    lead: () => 'Handed over. Now Esi pays Yaw, and confirms.',
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
  {
    persona: 'admin',
    path: () => paths.adminDeliveries,
    lead: () => 'Paid. And this is what the platform sees of it.',
    instruction: 'Approved, and paid by Esi.',
    reason: 'Open it to see both sides, the code and every time; the dashboard counts the revenue.',
    target: [
      { selector: '#main tr', text: tourDraft.itemDescription },
      { selector: '#main article', text: tourDraft.itemDescription },
    ],
    done: ({ row, path }) => path === paths.adminDeliveries && isConfirmed(row, 'Approved'),
  },
]
