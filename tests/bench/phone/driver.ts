import { type Browser, expect, type Page } from '@playwright/test'
import { v7 } from 'uuid'
import { openPhone } from '../../e2e/helpers/page/open-phone.ts'
import { installed } from '../../e2e/helpers/page/worker.ts'
import type { Account, ServerApi } from '../../e2e/helpers/server/server-api.ts'
import type { ServerFixture } from '../../e2e/helpers/server/server-fixture.ts'
import { fill } from '../../helpers/database/fill-database.ts'

/** More than any measurement offers. */
const deliveries = 1_200

/** Puts exactly so many jobs on offer; their names are `Job 1`, the newest, and so on. */
async function offerJobs(server: ServerFixture, api: ServerApi, count: number) {
  await api.inDatabase(async (client) => {
    const { rows } = await client.query('select count(*)::int as count from deliveries')
    if (rows[0].count < deliveries) await fill(server.server.database(), { users: 20, deliveries })
    await client.query(
      `with numbered as (select id, row_number() over (order by id) as place from deliveries
         where id in (select md5('delivery ' || i)::uuid from generate_series(1, ${deliveries}) i))
       update deliveries set status = case when place <= $1 then 'Pending' else 'Cancelled' end,
         driver_id = null, driver = null, is_guest = true, sender_id = null, sender = null,
         item_description = 'Job ' || place, created_at = now() - place * interval '1 minute', updated_at = now()
       from numbered where numbered.id = deliveries.id`,
      [count],
    )
  })
}

type Setup = {
  server: ServerFixture
  api: ServerApi
  /** On offer. */
  jobs: number
  /** Deliveries that the phone holds in all; finished ones are added up to it. */
  total?: number
}

/** The phone of a driver who was here before: the worker is installed, and the newest jobs are stored. */
export async function driverPhone(browser: Browser, setup: Setup): Promise<Page> {
  const { server, api, jobs, total } = setup
  await offerJobs(server, api, jobs)
  const driver = await api.createDriver('Kwame Adu')
  if (total === undefined) return openJobs(browser, api, driver, server.origin)
  const sender = await api.createAccount('Efua Mensah', 'sender')
  const delivery = await api.createDelivery(sender, {})
  await api.completeDelivery(driver, delivery)
  await api.ask('changeStatus', {
    token: sender.token,
    id: delivery.ID,
    body: { status: 'Approved' },
  })
  const phone = await openJobs(browser, api, driver, server.origin)
  await holdFinished(phone, total - (await held(phone)))
  expect(await held(phone)).toBe(total)
  return phone
}

async function openJobs(
  browser: Browser,
  api: ServerApi,
  driver: Account,
  origin: string,
): Promise<Page> {
  const page = await openPhone(browser, api, driver, {
    origin,
    serviceWorkers: 'allow',
    clock: false,
  })
  await installed(page)
  await page.goto(`${origin}/drive`)
  await expect(page.getByRole('article').first()).toBeVisible()
  // What is loaded ahead, such as the room, is stored with it.
  await page.waitForTimeout(2_000)
  return page
}

/** The rows of the jobs on offer that this phone holds. */
export const jobRows = (page: Page): Promise<unknown[]> =>
  page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open('soma')
        opening.onsuccess = () => {
          const table = opening.result.transaction('deliveries').objectStore('deliveries')
          const reading = table.index('[account+openAt]').getAll()
          reading.onsuccess = () => {
            opening.result.close()
            resolve(reading.result)
          }
          reading.onerror = () => reject(reading.error)
        }
      }),
  )

/** Stores so many finished jobs on this phone, copies of one that it has. */
async function holdFinished(page: Page, count: number): Promise<void> {
  const ids = Array.from({ length: count }, () => v7())
  await page.evaluate(
    (names) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('soma')
        opening.onsuccess = () => {
          const writing = opening.result.transaction('deliveries', 'readwrite')
          const table = writing.objectStore('deliveries')
          table.getAll().onsuccess = ({ target }) => {
            const rows = (target as IDBRequest).result as Record<string, unknown>[]
            const pattern = rows.find(({ jobAt }) => jobAt !== undefined)
            if (!pattern) return reject(new Error('This driver has no job to copy'))
            for (const [index, ID] of names.entries()) {
              const jobAt = new Date(Date.now() - (index + 60) * 3_600_000).toISOString()
              const view = { ...(pattern.view as object), ID, createdAt: jobAt, updatedAt: jobAt }
              table.put({ ...pattern, ID, view, jobAt })
            }
          }
          writing.oncomplete = () => {
            opening.result.close()
            resolve()
          }
          writing.onerror = () => reject(writing.error)
        }
      }),
    ids,
  )
}

/** How many deliveries this phone holds. */
export const held = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open('soma')
        opening.onsuccess = () => {
          const table = opening.result.transaction('deliveries').objectStore('deliveries')
          const counting = table.count()
          counting.onsuccess = () => {
            opening.result.close()
            resolve(counting.result)
          }
          counting.onerror = () => reject(counting.error)
        }
      }),
  )
