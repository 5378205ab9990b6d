import { serverFixture, test } from '../../e2e/helpers/server/server-fixture.ts'
import { admin } from '../../helpers/server/app-server.ts'
import { called, inFreshProfile, peersServer } from './bench.ts'
import { startFront } from './front.ts'
import { measure } from './table.ts'

const server = peersServer()
const fixture = serverFixture()

test('Bytes of a pull that finds nothing new', async () => {
  const { origin } = fixture()
  const login = await fetch(`${origin}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(admin),
  })
  const { token } = await login.json()
  const page = server().files.get('/ours.js')?.body.toString() ?? ''
  const times = 50
  const front = await startFront(origin)
  const spent = () => front.bytes().up + front.bytes().down
  const bytes = await inFreshProfile(async (context) => {
    const tab = await context.newPage()
    await tab.goto(`${front.origin}/api/zones`)
    await tab.addScriptTag({ content: page, type: 'module' })
    const ask = (count: number) => called(tab, 'unchanged', count, token)
    await ask(5)
    const before = spent()
    const few = await ask(times)
    const middle = spent()
    const many = await ask(2 * times)
    if (few + many !== 3 * times) throw new Error('Something was new')
    // The first two asks of each call tell something: they cancel out.
    return (spent() - middle - (middle - before)) / times
  })
  await front.close()
  const work = 'a pull that finds nothing new, up and down'
  const note = 'the real server behind TLS and HTTP/2; headers said before cost a byte or two.'
  measure({ work, against: 'its limit', target: 300, unit: 'bytes', note }, [bytes])
})
