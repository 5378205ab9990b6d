import { idle, mutate, prepare, unchanged } from './bytes.ts'
import { deadZone } from './dead-zone.ts'
import { fetchOnly, writeAndLook, writeOnly } from './floor.ts'
import { enqueueOne, hold, pullOne } from './growth.ts'
import { see, seeRaw } from './live.ts'
import { pull, putRaw } from './pulling.ts'
import { enqueue, replay } from './sending.ts'

/* What a benchmark of the peers runs inside our page; every function answers milliseconds. */
Object.assign(globalThis, {
  bench: {
    deadZone,
    enqueue,
    replay,
    pull,
    putRaw,
    see,
    seeRaw,
    hold,
    pullOne,
    enqueueOne,
    prepare,
    mutate,
    idle,
    unchanged,
    fetchOnly,
    writeOnly,
    writeAndLook,
  },
})
