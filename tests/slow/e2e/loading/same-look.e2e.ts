import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import { homeLooksTheSame, skeletonIsSteady } from '../../../e2e/loading/same-look.ts'

const fixture = serverFixture()
test.use({ serviceWorkers: 'block' })

const looks = [360, 1280].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ colorScheme, width })),
)

homeLooksTheSame(fixture, looks)
skeletonIsSteady(fixture, looks)
