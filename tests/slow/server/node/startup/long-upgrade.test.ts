import { setTimeout as pause } from 'node:timers/promises'
import { test } from 'vitest'
import { expectStartWaits } from '../../../../server/node/startup/long-upgrade.ts'

test('a process that starts during another’s upgrade waits for it, beyond the time-out of locks', () =>
  expectStartWaits(() => pause(7_000)))
