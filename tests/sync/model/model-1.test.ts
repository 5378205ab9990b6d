import { test } from 'vitest'
import { inDexie } from './dexie.ts'
import { holds } from './scenario/check.ts'
import { patience, runs } from './scenario-count.ts'

test(
  'S1, S2, S3, S4, S5, S6, S7, S8, S9, S10, S11, S12, S13, S14, S16, S17, S19, S21, S22, S23: hold in histories that are always lived',
  () => holds(inDexie, { seed: 1, runs }),
  patience,
)
