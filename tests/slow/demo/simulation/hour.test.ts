import { afterEach } from 'vitest'
import { closeAll } from '../../../demo/simulation/city-fixture.ts'
import { repos } from '../../../demo/simulation/fixture.ts'
import { timeOfTheCity } from '../../../demo/simulation/hour.ts'

afterEach(closeAll)

for (const repo of repos) timeOfTheCity(repo, 60)
