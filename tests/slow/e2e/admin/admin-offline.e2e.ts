import { expect } from '@playwright/test'
import { adminOfflineSuite } from '../../../e2e/admin/offline-suite.ts'
import { axeViolations } from '../../../e2e/helpers/page/axe.ts'
import { cutOff } from '../../../e2e/helpers/page/layout-checks.ts'

/* Each admin screen offline, at both sizes, with axe. */

adminOfflineSuite(
  { 'never opened': ['narrow', 'wide'], 'opened before': ['narrow', 'wide'] },
  async (page) => {
    expect(await cutOff(page)).toEqual([])
    expect(await axeViolations(page)).toEqual([])
  },
)
