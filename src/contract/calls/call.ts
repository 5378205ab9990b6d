import { endpoints, type Op } from '../endpoints.ts'
import type { Transport } from '../transport.ts'
import { type CallInput, callLine, type LineResult } from './call-line.ts'

export type { CallInput }

/** A successful response of this call. */
export type CallResult<O extends Op> = LineResult<(typeof endpoints)[O]>

/** Makes one call of the table. Throws as `callLine` does. */
export const call = <O extends Op>(
  transport: Transport,
  base: string,
  op: O,
  input: CallInput = {},
): Promise<CallResult<O>> => callLine(transport, base, endpoints[op], input)
