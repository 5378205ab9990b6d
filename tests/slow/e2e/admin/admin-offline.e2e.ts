import { expect } from '@playwright/test'
import { adminOfflineSuite } from '../../../e2e/admin/offline-suite.ts'
import { axeViolations } from '../../../e2e/helpers/page/axe.ts'
import { cutOff } from '../../../e2e/helpers/page/layout-checks.ts'

/* Each admin screen offline, one way on a phone, the other on a desktop, with axe. */

adminOfflineSuite({ 'never opened': ['narrow'], 'opened before': ['wide'] }, async (page) => {
  expect(await cutOff(page)).toEqual([])
  expect(await axeViolations(page)).toEqual([])
})
