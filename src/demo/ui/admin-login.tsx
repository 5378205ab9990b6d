import { lazy, Suspense } from 'react'
import type { LoginHelpProps } from '#app/screens/auth/login-help.ts'

const AdminCredentials = lazy(() => import('./admin-credentials.tsx'))

/** Stands below the app's login form. */
export const AdminLogin = (props: LoginHelpProps) => (
  <Suspense>
    <AdminCredentials {...props} />
  </Suspense>
)
