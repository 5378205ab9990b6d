import type { Transport } from '#contract/transport.ts'
import { errorFrom, UpdateRequired } from '#contract/wire-errors.ts'

/** A transport that calls `onRequired` when our server refuses this build as too old, whatever was asked (S48). */
export const noticeUpdate =
  (transport: Transport, onRequired: () => Promise<void>): Transport =>
  async (request) => {
    const response = await transport(request)
    if (response.status !== 426) return response
    const body: unknown = await response
      .clone()
      .json()
      .catch(() => undefined)
    if (errorFrom(response.status, body) instanceof UpdateRequired) await onRequired()
    return response
  }
