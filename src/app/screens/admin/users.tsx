import type { User } from '#domain/user.ts'
import { adminUsers } from '#store/queries.ts'
import { Page } from '../../components/page.tsx'
import { Loading, Tag } from '../../components/pieces.tsx'
import { useListState } from '../../list-state.ts'
import { useLive } from '../../live.ts'
import { toast } from '../../toasts.ts'
import { type Column, DataTable } from './table.tsx'

const Role = ({ user }: { user: User }) => (
  <Tag tone={user.role === 'admin' ? 'gold' : 'plain'}>{user.role}</Tag>
)

const columns: Column<User>[] = [
  { name: 'Name', cell: ({ name }) => name, sortBy: ({ name }) => name },
  { name: 'Email', cell: ({ email }) => email },
  { name: 'Role', cell: (user) => <Role user={user} /> },
]

const notYet = () =>
  toast({ title: 'User details', text: 'Viewing full user details is not yet implemented.' })

/** Everybody with an account (spec §2, Users). */
export function Users() {
  const list = useListState('adminUsers', 'Failed to load users')
  const rows = useLive(adminUsers)
  return (
    <Page title="User Management">
      {rows === undefined || (rows.length === 0 && list.is === 'unknown') ? (
        <Loading label="Loading users" />
      ) : (
        <DataTable
          label="Users"
          rows={rows}
          columns={columns}
          keyOf={({ ID }) => ID}
          textOf={({ name, email, role, phone_number }) =>
            `${name} ${email} ${role} ${phone_number}`
          }
          search="Search all users..."
          empty="No results."
          onOpen={notYet}
          card={(user) => (
            <>
              <span className="flex items-start justify-between gap-2">
                <strong>{user.name}</strong>
                <Role user={user} />
              </span>
              <span className="text-sm text-soft">{user.email}</span>
            </>
          )}
        />
      )}
    </Page>
  )
}
