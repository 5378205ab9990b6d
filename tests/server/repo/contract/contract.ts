import { describe } from 'vitest'
import { accountContract } from './accounts.ts'
import { deliveryContract } from './deliveries.ts'
import { deliveryPagesContract } from './delivery-pages.ts'
import { photoContract } from './photos.ts'
import { recordContract } from './records.ts'
import { type MakeRepo, repoFixture } from './repo-fixture.ts'
import { requestContract } from './requests.ts'
import { searchContract } from './search.ts'
import { transactionContract } from './transactions.ts'

/** The contract of every adapter of the `Repo` port, whatever its database. */
export function repoContract(name: string, make: MakeRepo) {
  describe(`the Repo over ${name}`, () => {
    const fixture = repoFixture(make)
    transactionContract(fixture)
    accountContract(fixture)
    requestContract(fixture)
    deliveryContract(fixture)
    recordContract(fixture)
  })
  describe(`pages of deliveries in the Repo over ${name}`, () => {
    deliveryPagesContract(repoFixture(make))
  })
  describe(`searches in the Repo over ${name}`, () => {
    searchContract(repoFixture(make))
  })
  describe(`photos in the Repo over ${name}`, () => {
    photoContract(repoFixture(make))
  })
}
