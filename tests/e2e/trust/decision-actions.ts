import { type Browser, expect, type Page } from '@playwright/test'
import { admin } from '../../helpers/server/app-server.ts'
import { navigateTo, openPhone } from '../helpers/page/open-phone.ts'
import type { ServerApi } from '../helpers/server/server-api.ts'
import type { ServerFixture } from '../helpers/server/server-fixture.ts'
import type { Trip } from '../returns/return-actions.ts'

/** A dispute of a sender, and an admin in front of it. */
export function decisionActions(fixture: () => ServerFixture, api: ServerApi) {
  async function disputeOf({ sender, made }: Trip): Promise<string> {
    const body = {
      deliveryId: made.ID,
      issue: 'The lid is broken',
      type: 'sender_issue' as const,
      priority: 'medium' as const,
    }
    return (await api.ask('createDispute', { token: sender.token, body })).dispute.ID
  }

  async function atDispute(browser: Browser, id: string) {
    const { origin } = fixture()
    const person = await api.ask('login', { body: admin })
    const desk = await openPhone(browser, api, person, { origin })
    await navigateTo(desk, `/admin/disputes/${id}`)
    await expect(desk.getByRole('region', { name: 'History' })).toBeVisible()
    return desk
  }
  return { disputeOf, atDispute }
}

export const choose = (desk: Page, name: string) =>
  desk.locator('label').filter({ hasText: name }).click()
