import { ButtonLink } from '../../components/forms/button.tsx'
import { PageLayout } from '../../components/page/page.tsx'
import { paths } from '../../paths.ts'

export default function NotFound() {
  return (
    <PageLayout title="Page not found">
      <ButtonLink to={paths.home} className="justify-self-start">
        Go to Home
      </ButtonLink>
    </PageLayout>
  )
}
