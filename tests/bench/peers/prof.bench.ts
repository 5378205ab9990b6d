import { writeFileSync } from 'node:fs'
import { test } from '@playwright/test'
import { inFreshProfile, open, peersServer } from './bench.ts'
const server = peersServer()
test('prof', async () => {
  for (let k = 0; k < 3; k++) {
    server().reset({})
    await inFreshProfile(async (context) => {
      const page = await open(context, server().origin, { name: 'ours' })
      const cdp = await context.newCDPSession(page)
      await cdp.send('Profiler.enable')
      await cdp.send('Profiler.setSamplingInterval', { interval: 200 })
      // @ts-ignore
      if (k === 2) await page.evaluate(() => { globalThis.__p = true })
      if (k === 2) await cdp.send('Profiler.start')
      const t = await page.evaluate(async () => await (globalThis as any).bench.replay(1000, false))
      console.log('took', t)
      if (k === 2) writeFileSync('/tmp/replay.cpuprofile', JSON.stringify((await cdp.send('Profiler.stop')).profile))
    })
  }
})
