import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import { framesLookTheSame, homeLooksTheSame } from '../../../e2e/loading/same-look.ts'

const fixture = serverFixture()
test.use({ serviceWorkers: 'block' })

const looks = [360, 1280].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ colorScheme, width })),
)
const paths = ['/', '/send', '/drive', '/auth', '/delivery/x', '/profile', '/outbox', '/admin']

homeLooksTheSame(fixture, looks)
framesLookTheSame(fixture, looks, paths)
