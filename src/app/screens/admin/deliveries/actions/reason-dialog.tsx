import type { ReactNode } from 'react'
import { maxReason } from '#domain/deliveries/draft.ts'
import { attempt } from '../../../../browser/attempt.ts'
import { Confirm } from '../../../../components/dialogs/confirm.tsx'
import { ReasonField, useReason } from '../../../../components/forms/reasons/reason-field.tsx'
import { bothRead } from './office-texts.ts'

/** Asks why before the office acts, which both sides read (R191). */
export function ReasonDialog(props: {
  /** Of what was typed. */
  name: string
  title: string
  yes: string
  reasons: readonly string[]
  /** False while something else has to be filled in. */
  isReady?: boolean
  onYes: (reason: string) => Promise<unknown>
  onClose: () => void
  children?: ReactNode
}) {
  const why = useReason(props.name)
  const act = async () => {
    if (await attempt('Error', () => props.onYes(why.reason))) why.clear()
  }
  return (
    <Confirm
      title={props.title}
      yes={props.yes}
      isReady={why.reason !== '' && props.isReady !== false}
      onYes={act}
      onClose={props.onClose}
    >
      <div className="grid gap-4">
        {props.children}
        <ReasonField
          of={why}
          legend="Why?"
          reasons={props.reasons}
          hint={bothRead}
          maxLength={maxReason}
        />
      </div>
    </Confirm>
  )
}
