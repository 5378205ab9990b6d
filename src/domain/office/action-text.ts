import { referenceOf } from '../deliveries/reference.ts'
import { fold } from '../fold.ts'

const texts: Record<string, string> = {
  login: 'Logged in',
  inviteColleague: 'Invited a colleague',
  acceptInvitation: 'Accepted an invitation',
  changeColleague: 'Changed the role of a colleague',
  removeColleague: 'Removed a colleague',
  startSecondFactor: 'Began to set up own second step',
  confirmSecondFactor: 'Turned on own second step',
  endSecondFactor: 'Turned off own second step',
  removeSecondFactor: 'Took away the second step of a colleague',
  failedLogin: 'Failed to log in',
  adminDevice: 'Looked up a support code',
  logout: 'Logged out',
  endSession: 'Signed out a device',
  closeSession: 'Ended a session of an account',
  closeSessions: 'Ended all sessions of an account',
  changePhone: 'Changed own phone number',
  changeProfile: 'Changed own name, email or password',
  deleteMe: 'Deleted own account',
  releasePhone: 'Released a phone number',
  resetPassword: 'Reset a password',
  viewIdPhoto: 'Viewed an ID photo',
  reviewDriver: 'Decided on a driver',
  'reviewDriver approved': 'Approved a driver',
  'reviewDriver rejected': 'Rejected a driver',
  approveDriver: 'Approved a driver',
  rejectDriver: 'Rejected a driver',
  resolveDispute: 'Resolved a dispute',
  settlePayout: 'Settled a payout',
  assignDriver: 'Changed the driver of a delivery',
  correctDelivery: 'Corrected a delivery',
  refundDelivery: 'Refunded the sender of a delivery',
  reportFor: 'Opened a dispute for somebody',
  sendCode: 'Sent a delivery code by SMS',
  suspendUser: 'Suspended a person, or lifted it',
  addNote: 'Wrote a note about a person',
  changeStatus: 'Changed the status of a delivery',
  addZone: 'Added a zone',
  changeZone: 'Changed a zone',
  removeZone: 'Deleted a zone',
  addItem: 'Added an item',
  changeItem: 'Changed an item',
  removeItem: 'Deleted an item',
  changeSettings: 'Changed the settings',
}

/**
 * The text for an admin's action (R57); the server's own name for an action that this release does not
 * know.
 */
export const actionText = (action: string): string =>
  (Object.hasOwn(texts, action) ? texts[action] : undefined) ?? action

/** The actions whose text contains what somebody typed (R189). */
export function actionsNamed(typed: string): string[] {
  const sought = fold(typed)
  return Object.keys(texts).filter((action) => fold(actionText(action)).includes(sought))
}

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** A subject with the references that people read in place of IDs (R98). */
export const subjectText = (subject: string): string => subject.replace(uuid, referenceOf)

/** The IDs that stand in a subject. */
export const idsInSubject = (subject: string): string[] => subject.match(uuid) ?? []
