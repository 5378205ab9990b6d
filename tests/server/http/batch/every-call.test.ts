import { everyCallInBatches } from './every-call.ts'

everyCallInBatches(['none', 'guestOf', 'senderOf', 'driverOf', 'pendingDriver', 'admin'])
