import { openSoma } from '#sync/open.ts'

Object.assign(globalThis, { openSoma })
