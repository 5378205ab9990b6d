import { Button } from '#app/components/forms/button.tsx'
import { useStage } from './demo-context.ts'

/** The seeded admin's e-mail and password, and a press that fills them in. */
export default function AdminsKey({
  onUse,
}: {
  onUse: (key: { email: string; password: string }) => void
}) {
  const { admin } = useStage()
  return (
    <section aria-label="The demo’s admin" className="grid gap-2 rounded-card bg-gold-wash p-4">
      <p className="text-sm">
        The demo’s admin is <strong>{admin.email}</strong>, the password{' '}
        <strong>{admin.password}</strong>. Everybody else in the demo has the same password.
      </p>
      <Button look="edge" onClick={() => onUse(admin)}>
        Fill in the admin
      </Button>
    </section>
  )
}
