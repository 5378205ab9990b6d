import { repos } from '../../../demo/simulation/fixture.ts'
import { begin, pastOfCities, storedCity } from '../../../demo/simulation/seed/seeded-city.ts'

for (const repo of repos) storedCity(repo)
pastOfCities([
  ...[1, 2].map((number) => [number, begin] as const),
  [233, '2026-01-01T03:10:00.000Z'],
  [233, '2028-02-29T23:59:00.000Z'],
])
