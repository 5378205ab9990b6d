import { deliverySearchTests } from './delivery-search.ts'

deliverySearchTests({
  words: ['LEGON campus', 'a', 'ke', '%', 'zq', 'Picked Up', '0550000001', '4'],
  sorts: [undefined, 'offer'],
})
