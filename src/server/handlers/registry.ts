import type { Handlers } from '../ports/handler.ts'
import type { Ports } from '../ports/ports.ts'
import { deliveryHandlers } from './deliveries/deliveries.ts'
import { deliveryOperationHandlers } from './deliveries/delivery-operations.ts'
import { disputeHandlers } from './deliveries/disputes.ts'
import { guestHandlers } from './deliveries/guest-recovery.ts'
import { paymentHandlers } from './deliveries/payments.ts'
import { priceGuideHandlers } from './deliveries/price-guide.ts'
import { recipientHandlers } from './deliveries/recipients.ts'
import { lazyHandlers } from './lazy-handlers.ts'
import { adminHandlers } from './office/admin.ts'
import { settingsHandlers } from './office/configuration.ts'
import { helpHandlers } from './office/help.ts'
import { peopleHandlers } from './office/people.ts'
import { searchHandlers } from './office/search.ts'
import { supportHandlers } from './office/support.ts'
import { choiceHandlers } from './office/zones-and-items.ts'
import { accountHandlers } from './people/account.ts'
import { commuteHandlers } from './people/driver-commutes.ts'
import { earningsHandlers } from './people/driver-earnings.ts'
import { payoutNumberHandlers } from './people/driver-payout.ts'
import { driverHandlers } from './people/drivers.ts'
import { notificationHandlers } from './people/notifications.ts'
import { phoneHandlers } from './people/phones.ts'
import { profileHandlers } from './people/profile.ts'
import { requestHandlers } from './requests.ts'

/** One handler for every line of the endpoint table, under the same name. */
export const createHandlers = (ports: Ports): Handlers => ({
  ...accountHandlers(ports),
  ...phoneHandlers(ports),
  ...profileHandlers(ports),
  ...lazyHandlers(['myData', 'deleteMe'], async () =>
    (await import('./people/personal-data.ts')).personalDataHandlers(ports),
  ),
  ...choiceHandlers(ports),
  ...settingsHandlers(ports),
  ...deliveryHandlers(ports),
  ...driverHandlers(ports),
  ...commuteHandlers(),
  ...payoutNumberHandlers(ports),
  ...earningsHandlers(),
  ...deliveryOperationHandlers(ports),
  ...recipientHandlers(),
  ...priceGuideHandlers(ports),
  ...paymentHandlers(ports),
  ...guestHandlers(ports),
  ...disputeHandlers(ports),
  ...notificationHandlers(ports),
  ...adminHandlers(ports),
  ...lazyHandlers(['adminMoney', 'adminPayouts', 'settlePayout'], async () =>
    (await import('./office/admin-money.ts')).moneyHandlers(ports),
  ),
  ...peopleHandlers(ports),
  ...requestHandlers(ports),
  ...searchHandlers(),
  ...supportHandlers(),
  ...helpHandlers(ports),
  ...lazyHandlers(
    [
      'adminColleagues',
      'inviteColleague',
      'acceptInvitation',
      'changeColleague',
      'removeColleague',
      'removeSecondFactor',
    ],
    async () => (await import('./office/colleagues.ts')).colleagueHandlers(ports),
  ),
  ...lazyHandlers(['startSecondFactor', 'confirmSecondFactor', 'endSecondFactor'], async () =>
    (await import('./people/second-factor.ts')).secondFactorHandlers(ports),
  ),
})
