import { howPaid } from '#domain/deliveries/payment.ts'
import { shortPrice } from '#domain/money.ts'
import type { InputOf, OperationName } from '#operations/index.ts'
import type { Entry } from '#store/entries/operations.ts'
import type { EntryState } from '#sync/database/entry.ts'
import type { Toast } from '../toasts.ts'
import { errorText } from './error-text.ts'

/** The texts of one operation: `verb` names an entry that waits, `past` one that is done, `undo` what takes it back. */
type Texts = {
  verb: string
  past: string
  undo: string
  /** Nothing where the screen itself shows it. */
  done: (entry: Entry, prompt?: string) => Toast | undefined
  refused: (entry: Entry) => Toast | undefined
}

/**
 * The toast for an entry that ended; undefined where none is shown. `isTakenBack`: a request that is being
 * cancelled because its person took it back. `prompt`: what the server says of the prompt that it needs (R179).
 */
export function outcomeToast(
  entry: Entry,
  isTakenBack = false,
  prompt?: string,
): Toast | undefined {
  const words = texts[entry.op]
  if (!words || isTakenBack) return undefined
  if (entry.state === 'done' && entry.withdrawal) return tooLateToast(entry)
  if (isDisputed(entry)) return disputedToast(entry)
  if (entry.state === 'done') {
    const done = words.done(entry, prompt)
    return done && { ...done, late: true }
  }
  if (entry.state === 'refused' && entry.error?.reason === 'lost') return lostToast(entry)
  if (entry.state === 'refused') return refusalToast(words.refused(entry))
  if (entry.withdrawal === 'unknown') return unknownToast(entry)
  if (entry.state === 'parked')
    return {
      destructive: true,
      late: true,
      title: 'Not sent yet',
      text: `${entryTitle(entry)}: we have a problem on our side. It is saved and retries daily.`,
      action: { label: 'Open Outbox', to: '/outbox' },
    }
  return undefined
}

/** What the person took back had been done already (S56). */
const tooLateToast = (entry: Entry): Toast => ({
  title: 'Already received',
  text: `${entryTitle(entry)} couldn't be cancelled any more.`,
  late: true,
  plain: true,
  action: { label: 'Open', to: `/delivery/${entry.lane}` },
})

/** The backend could not be asked to withdraw it (S73). */
const unknownToast = (entry: Entry): Toast => ({
  title: 'It may have arrived',
  text: `${entryTitle(entry)} couldn't be cancelled. You can stop trying.`,
  late: true,
  plain: true,
  action: { label: 'Open Outbox', to: '/outbox' },
})

/** Whether it was done before a cancel and heard after it, so that support decides (R124). */
export const isDisputed = ({ state, lastAnswer }: Pick<Entry, 'state' | 'lastAnswer'>): boolean =>
  state === 'done' && lastAnswer?.status === 202

const disputedToast = (entry: Entry): Toast => ({
  title: 'Cancelled while you were offline',
  text: `${entryTitle(entry)} did not count. Support decides about the payment.`,
  late: true,
  plain: true,
  action: { label: 'Open', to: `/delivery/${entry.lane}` },
})

/** No toast for entries that depend on a lost one: one button sends both again (S54). */
const lostToast = (entry: Entry): Toast | undefined =>
  entry.error?.because === undefined
    ? refusalToast({
        title: 'This was lost on our side',
        text: `${entryTitle(entry)}: please send it again.`,
      })
    : undefined

/** An entry's title in a list: `Accept: Laptop`. */
export function entryTitle(entry: Pick<Entry, 'op' | 'title'> & { state?: EntryState }): string {
  const words = texts[entry.op]
  if (!words) return entry.title || 'Something saved by another version'
  const name = entry.state === 'done' ? words.past : words.verb
  return entry.title === '' ? name : `${name}: ${entry.title}`
}

/** What a button says that takes an entry back: `Take back the code`. */
export const undoText = ({ op }: Pick<Entry, 'op'>): string => texts[op]?.undo ?? 'Cancel this'

const serverMessage = ({ error }: Entry) => errorText(error?.message)

/** The server's message, else `otherwise`. */
const messageOr = (entry: Entry, otherwise: string) => serverMessage(entry) || otherwise

/** Our text, followed by the server's message where it sent one. */
const withReason = (entry: Entry, ours: string) =>
  serverMessage(entry) ? `${ours}. ${serverMessage(entry)}` : ours

const success =
  (title: string, text: (entry: Entry, prompt?: string) => string) =>
  (entry: Entry, prompt?: string) => ({ title, text: text(entry, prompt) })
const failure = (title: string, otherwise: string) => (entry: Entry) => ({
  title,
  text: messageOr(entry, otherwise),
})
const statusFailed = failure('Error', 'Failed to update status')

/** The entry's input, typed by the operation that its key in `texts` stands for. */
const inputOf = <O extends OperationName>(entry: Entry, _op: O) => entry.input as InputOf<O>

/** The decision on a changed licence (R139); nothing of a decision on the driver. */
function licenceToast(entry: Entry): Toast | undefined {
  const { licence } = inputOf(entry, 'reviewDriver')
  if (!licence) return undefined
  return licence === 'accepted'
    ? { title: 'Licence accepted', text: `The new licence of ${entry.title} counts now.` }
    : { title: 'Licence refused', text: `${entry.title} keeps the licence before.` }
}

const texts: Record<OperationName, Texts> = {
  uploadPhoto: {
    verb: 'Photo',
    past: 'Photo',
    undo: 'Take back the photo',
    done: success('Photo uploaded!', () => "Your item's photo is ready."),
    refused: failure('Upload Failed', 'Failed to upload photo. Please try again.'),
  },
  createDelivery: {
    verb: 'Request',
    past: 'Requested',
    undo: 'Cancel this request',
    done: success('Delivery Requested', (entry) =>
      inputOf(entry, 'createDelivery').payer
        ? `Drivers see ${entry.title} once the prompt is approved.`
        : `${entry.title} is on the list for drivers.`,
    ),
    refused: failure('Request Failed', 'Failed to create delivery request'),
  },
  createGuestDelivery: {
    verb: 'Request',
    past: 'Requested',
    undo: 'Cancel this request',
    done: success('Delivery Created!', () => 'Your guest delivery has been created successfully.'),
    refused: failure('Error', 'Failed to create delivery'),
  },
  raiseOffer: {
    verb: 'Raise the offer',
    past: 'Offer raised',
    undo: 'Keep the old offer',
    done: (entry, prompt) => {
      const offer = shortPrice(inputOf(entry, 'raiseOffer').offer)
      return prompt
        ? { title: 'Approve the prompt', text: `${prompt} Drivers then see ${offer}.` }
        : { title: 'Offer raised', text: `Drivers now see ${entry.title} at ${offer}.` }
    },
    refused: failure('Offer not raised', 'Failed to raise the offer'),
  },
  acceptDelivery: {
    verb: 'Accept',
    past: 'Accepted',
    undo: 'Take back the acceptance',
    done: (entry) => ({
      title: 'Delivery Accepted',
      text: `${entry.title} is your job now.`,
      action: { label: 'Open', to: `/delivery/${inputOf(entry, 'acceptDelivery').id}` },
    }),
    refused: failure(
      'Cannot Accept',
      'You already have an active delivery. Please complete it first.',
    ),
  },
  pickUpDelivery: {
    verb: 'Picked up',
    past: 'Picked up',
    undo: 'Take back the pickup',
    done: success('Status Updated', ({ title }) => `${title} is marked as Picked Up.`),
    refused: statusFailed,
  },
  completeDelivery: {
    verb: 'Delivery code',
    past: 'Delivered',
    undo: 'Take back the code',
    done: (entry) =>
      inputOf(entry, 'completeDelivery').returning
        ? { title: 'Code confirmed', text: `Your part of ${entry.title} is done.` }
        : {
            title: 'Delivery completed',
            text: `The code was right: ${entry.title} is Delivered.`,
          },
    refused: statusFailed,
  },
  attachProof: {
    verb: 'Proof of delivery',
    past: 'Proof of delivery',
    undo: 'Take back the photo',
    done: success('Status Updated', ({ title }) => `The proof photo of ${title} was added.`),
    refused: statusFailed,
  },
  approveDelivery: {
    verb: 'Confirm and pay',
    past: 'Approved',
    undo: 'Take back the approval',
    done: success('Status Updated', (entry, prompt) => {
      if (prompt) return `${entry.title} is Approved. ${prompt} Then the tip counts.`
      const how = howPaid(inputOf(entry, 'approveDelivery'))
      return `${entry.title} is Approved.${how && ` The driver reads that you paid${how}.`}`
    }),
    refused: statusFailed,
  },
  cancelDelivery: {
    verb: 'Cancel',
    past: 'Cancelled',
    undo: 'Keep the delivery',
    done: success('Status Updated', ({ title }) => `${title} is Cancelled.`),
    refused: statusFailed,
  },
  acknowledgeCancel: {
    verb: 'Cancel seen',
    past: 'Cancel seen',
    undo: 'Take back the reply',
    done: () => undefined,
    refused: () => undefined,
  },
  contestPickUp: {
    verb: 'Not picked up',
    past: 'Not picked up',
    undo: 'Take back the report',
    done: success('Reported', ({ title }) => `Support looks into ${title}. You can request anew.`),
    refused: statusFailed,
  },
  releaseJob: {
    verb: 'Give back',
    past: 'Given back',
    undo: 'Keep the job',
    done: success('Job given back', ({ title }) => `${title} is on offer again.`),
    refused: statusFailed,
  },
  reportAttempt: {
    verb: 'Couldn’t deliver',
    past: 'Couldn’t deliver',
    undo: 'Take back the report',
    done: success('Reported', ({ title }) => `The sender of ${title} knows what happened.`),
    refused: statusFailed,
  },
  reportUnpaid: {
    verb: 'Not received',
    past: 'Not received',
    undo: 'Take back the report',
    done: success('Reported', ({ title }) => `Support looks into the payment for ${title}.`),
    refused: failure('Error', 'Your report did not go through'),
  },
  startReturn: {
    verb: 'Return',
    past: 'Return started',
    undo: 'Take back the return',
    done: success('Return started', ({ title }) => `Bring ${title} back to its sender.`),
    refused: (entry) =>
      entry.error?.reason === 'wait'
        ? { title: 'Too early to return it', text: 'The delivery says from when you can.' }
        : statusFailed(entry),
  },
  confirmReturn: {
    verb: 'Confirm return',
    past: 'Returned',
    undo: 'Take back the confirmation',
    done: success('Return confirmed', ({ title }) => `${title} is back with you.`),
    refused: statusFailed,
  },
  renewCode: {
    verb: 'New code',
    past: 'New code',
    undo: 'Keep the code',
    done: success('New code', ({ title }) => `Share the new code of ${title} with the recipient.`),
    refused: statusFailed,
  },
  rateDelivery: {
    verb: 'Rating',
    past: 'Rated',
    undo: 'Take back the rating',
    done: success('Thank you', ({ title }) => `Your rating for ${title} is saved.`),
    refused: failure('Error', 'Failed to save the rating'),
  },
  changeDriverCard: {
    verb: 'Driver card',
    past: 'Driver card changed',
    undo: 'Take back the change',
    done: success('Driver card updated', () => 'Senders see it when you accept their delivery.'),
    refused: failure('Error', 'Failed to update your driver card'),
  },
  changeNotifications: {
    verb: 'Notification settings',
    past: 'Notification settings changed',
    undo: 'Take back the change',
    done: () => undefined,
    refused: failure('Error', 'Failed to save your notification settings'),
  },
  changeCommutes: {
    verb: 'Your commutes',
    past: 'Commutes changed',
    undo: 'Take back the change',
    done: () => undefined,
    refused: failure('Error', 'Failed to save your commutes'),
  },
  reportIssue: {
    verb: 'Report an issue',
    past: 'Issue reported',
    undo: 'Take back the report',
    done: success('Issue Reported', () => 'Our team will look into it.'),
    refused: failure('Error', 'Failed to report the issue'),
  },
  changePhone: {
    verb: 'New phone number',
    past: 'Phone number changed',
    undo: 'Keep the number',
    done: (entry) => ({
      title: 'Phone Updated',
      text: inputOf(entry, 'changePhone').keeps
        ? `Your number stays ${entry.title}.`
        : `Confirm ${entry.title} with the code we sent.`,
      action: { label: 'Open', to: '/profile' },
    }),
    refused: failure('Error', 'Failed to update the phone number'),
  },
  endSession: {
    verb: 'Sign out elsewhere',
    past: 'Signed out elsewhere',
    undo: 'Keep it signed in',
    done: success('Signed out', ({ title }) => `${title || 'That device'} is signed out.`),
    refused: failure('Error', 'Failed to sign out on that device'),
  },
  reviewDriver: {
    verb: 'Driver decision',
    past: 'Driver decision',
    undo: 'Take back the decision',
    done: (entry) =>
      licenceToast(entry) ??
      (inputOf(entry, 'reviewDriver').status === 'approved'
        ? { title: 'Driver Approved', text: 'Driver has been approved successfully' }
        : { title: 'Driver Rejected', text: 'Driver has been rejected' }),
    refused: (entry) => {
      const { status, licence } = inputOf(entry, 'reviewDriver')
      if (licence) return { title: 'Error', text: withReason(entry, 'Failed to check the licence') }
      const approving = status === 'approved'
      const ours = approving ? 'Failed to approve driver' : 'Failed to reject driver'
      return { title: 'Error', text: withReason(entry, ours) }
    },
  },
  resolveDispute: {
    verb: 'Resolve dispute',
    past: 'Resolved dispute',
    undo: 'Take back the decision',
    done: success('Dispute Resolved', ({ title }) => `The dispute about ${title} is closed.`),
    refused: failure('Error', 'Failed to resolve the dispute'),
  },
  settlePayout: {
    verb: 'Payout',
    past: 'Payout',
    undo: 'Take back the decision',
    done: success('Payout saved', (entry) =>
      inputOf(entry, 'settlePayout').retry
        ? `${entry.title} is sent again.`
        : `${entry.title} is marked as paid.`,
    ),
    refused: failure('Error', 'Failed to save the payout'),
  },
  assignDriver: {
    verb: 'Change driver',
    past: 'Driver changed',
    undo: 'Keep the driver',
    done: success('Driver changed', (entry) =>
      inputOf(entry, 'assignDriver').driver === null
        ? `${entry.title} is on offer again.`
        : `${entry.title} has its new driver.`,
    ),
    refused: failure('Driver not changed', 'Failed to change the driver'),
  },
  correctDelivery: {
    verb: 'Correct',
    past: 'Corrected',
    undo: 'Take back the correction',
    done: success('Corrected', ({ title }) => `Both sides of ${title} read it.`),
    refused: failure('Not corrected', 'Failed to correct the delivery'),
  },
  approveForSender: {
    verb: 'Approve for the sender',
    past: 'Approved',
    undo: 'Take back the approval',
    done: success('Status Updated', ({ title }) => `${title} is Approved.`),
    refused: statusFailed,
  },
  refundDelivery: {
    verb: 'Refund',
    past: 'Refunded',
    undo: 'Take back the refund',
    done: success('Refunded', ({ title }) => `The sender of ${title} gets it back.`),
    refused: failure('Not refunded', 'Failed to refund'),
  },
  reportFor: {
    verb: 'Open a dispute',
    past: 'Dispute opened',
    undo: 'Take back the report',
    done: success('Dispute opened', ({ title }) => `The one about ${title} is in the list.`),
    refused: failure('Error', 'Failed to open the dispute'),
  },
  sendCode: {
    verb: 'Send the code',
    past: 'Code sent',
    undo: 'Do not send the code',
    done: success('Code sent', ({ title }) => `The sender of ${title} gets it by SMS.`),
    refused: failure('Code not sent', 'Failed to send the code'),
  },
  suspendUser: {
    verb: 'Suspension',
    past: 'Suspension',
    undo: 'Take back the decision',
    done: (entry) =>
      inputOf(entry, 'suspendUser').suspended
        ? { title: 'Account suspended', text: `${entry.title} is logged out.` }
        : { title: 'Suspension lifted', text: `${entry.title} can log in again.` },
    refused: failure('Error', 'Failed to save the suspension'),
  },
  addNote: {
    verb: 'Note',
    past: 'Note',
    undo: 'Discard the note',
    done: success('Note saved', ({ title }) => `About ${title}.`),
    refused: failure('Error', 'Failed to save the note'),
  },
  addZone: {
    verb: 'Add zone',
    past: 'Added zone',
    undo: 'Take back the zone',
    done: success('Zone added!', ({ title }) => `"${title}" is on the list.`),
    refused: () => undefined,
  },
  changeZone: {
    verb: 'Change zone',
    past: 'Changed zone',
    undo: 'Keep the zone as it was',
    done: success('Zone saved!', ({ title }) => `"${title}" is changed.`),
    refused: failure('Error', 'Failed to save the zone'),
  },
  removeZone: {
    verb: 'Delete zone',
    past: 'Deleted zone',
    undo: 'Keep the zone',
    done: success('Zone deleted!', ({ title }) => `"${title}" is off the list.`),
    refused: failure('Error', 'Failed to delete zone'),
  },
  addItem: {
    verb: 'Add item',
    past: 'Added item',
    undo: 'Take back the item',
    done: success('Item added!', ({ title }) => `"${title}" is on the list.`),
    refused: () => undefined,
  },
  changeItem: {
    verb: 'Change item',
    past: 'Changed item',
    undo: 'Keep the item as it was',
    done: success('Item saved!', ({ title }) => `"${title}" is changed.`),
    refused: failure('Error', 'Failed to save the item'),
  },
  removeItem: {
    verb: 'Delete item',
    past: 'Deleted item',
    undo: 'Keep the item',
    done: success('Item deleted!', ({ title }) => `"${title}" is off the list.`),
    refused: failure('Error', 'Failed to delete item'),
  },
  changeSettings: {
    verb: 'Change settings',
    past: 'Changed settings',
    undo: 'Keep the settings as they were',
    done: success('Settings saved!', () => 'Phones show them within the hour.'),
    refused: failure('Error', 'Failed to save the settings'),
  },
}

const refusalToast = (toast: Toast | undefined): Toast | undefined =>
  toast && {
    ...toast,
    destructive: true,
    late: true,
    action: { label: 'Open Outbox', to: '/outbox' },
  }
