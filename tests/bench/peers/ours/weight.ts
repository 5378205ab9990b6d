import { openSoma } from '#store/open.ts'

Object.assign(globalThis, { openSoma })
