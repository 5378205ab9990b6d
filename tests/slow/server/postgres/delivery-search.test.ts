import { deliverySearchTests } from '../../../server/postgres/delivery-search.ts'

deliverySearchTests({
  words: [
    ...[
      'kente',
      'Groceries',
      'LEGON campus',
      'osu',
      'a',
      'ke',
      'e',
      '%',
      '_',
      '\\',
      'zq',
      'nothing',
    ],
    ...['pend', 'Picked Up', 'approved', 'deliver', 'kofi mensah', '0550000001', '-', '4'],
  ],
  sorts: [undefined, '-offer', 'createdAt', 'offer'],
})
