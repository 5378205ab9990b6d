import { deliverySearchTests } from './delivery-search.ts'

deliverySearchTests({
  words: ['LEGON campus', 'a', 'ke', '%', 'zq', 'Picked Up'],
  sorts: ['offer'],
})
