import { accessSuite } from '../../../e2e/accounts/access-suite.ts'
import { test } from '../../../e2e/helpers/server/server-fixture.ts'
import { fill } from '../../../helpers/database/fill-database.ts'

/* Accessibility of every screen of an admin on a phone, full of rows (on a desktop: admin-offline.e2e.ts). */

const { fixture } = accessSuite({
  admin: [
    { path: '/admin', heading: 'Admin Dashboard' },
    { path: '/admin', heading: 'Admin Dashboard', press: ['Show as table', 'Revenue'] },
    { path: '/admin/deliveries', heading: 'Delivery Overview' },
    { path: '/admin/drivers', heading: 'Driver Management' },
    { path: '/admin/users', heading: 'User Management' },
    { path: '/admin/users/:sender', heading: 'Abena Asante' },
    { path: '/admin/disputes', heading: 'Resolve Disputes' },
    { path: '/admin/disputes/:dispute', heading: 'Dispute' },
    { path: '/admin/money', heading: 'Money' },
    { path: '/admin/settings', heading: 'Settings' },
    { path: '/admin/audit', heading: 'Audit log' },
    { path: '/admin/support', heading: 'Support' },
  ],
})
test.beforeAll(() => fill(fixture().server.database(), { users: 200, deliveries: 600 }))
