import { useNavigate } from 'react-router-dom'
import type { User } from '#domain/users/user.ts'
import { PageLayout } from '../../../components/page/page.tsx'
import { Tag } from '../../../components/text/tag.tsx'
import { userPath } from '../links.ts'
import { type Column, DataTable } from '../list/data-table.tsx'
import { DownloadCsv } from '../list/download-csv.tsx'
import { useListing } from '../list/use-listing.ts'

export const RoleTag = ({ user }: { user: User }) => (
  <Tag tone={user.role === 'admin' ? 'gold' : 'plain'}>{user.role}</Tag>
)

const columns: readonly Column<User>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: ({ name }) => name,
    isSortable: true,
  },
  { id: 'email', header: 'Email', cell: ({ email }) => email },
  { id: 'role', header: 'Role', cell: (user) => <RoleTag user={user} /> },
]

/** All accounts. */
export function Users() {
  const view = useListing('adminUsers', 'Failed to load users')
  const navigate = useNavigate()
  return (
    <PageLayout title="User Management">
      <DataTable
        label="Users"
        view={view}
        columns={columns}
        keyOf={({ ID }) => ID}
        searchLabel="Search all users..."
        loadingLabel="Loading users"
        icon="people"
        empty="No results."
        onOpen={({ ID }) => navigate(userPath(ID))}
        actions={<DownloadCsv what="users" query={view.filters} />}
        card={(user) => (
          <>
            <span className="flex items-start justify-between gap-2">
              <strong>{user.name}</strong>
              <RoleTag user={user} />
            </span>
            <span className="text-sm text-soft">{user.email}</span>
          </>
        )}
      />
    </PageLayout>
  )
}
