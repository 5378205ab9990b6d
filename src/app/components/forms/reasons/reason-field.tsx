import { useState } from 'react'
import { useSessionText } from '../../../hooks/forms/use-session-text.ts'
import { TextAreaField } from '../fields.tsx'
import { ReasonChoice } from './reason-choice.tsx'

const other = 'Something else'

/** A reason that is chosen from a few or written; what is written survives a closed dialog under this name. */
export function useReason(name: string) {
  const { text, type, clear } = useSessionText(name)
  const [chosen, setChosen] = useState<string>()
  const isOther = chosen === other
  /** Empty while nothing was said. */
  const reason = (isOther ? text.trim() : chosen) ?? ''
  return { text, type, clear, chosen, setChosen, isOther, reason }
}

/** Chips of reasons, and a field for one's own words. */
export function ReasonField(props: {
  of: ReturnType<typeof useReason>
  legend: string
  reasons: readonly string[]
  /** Who reads it. */
  hint?: string
  maxLength: number
  error?: string
  onChange?: () => unknown
}) {
  const { of, error, onChange } = props
  return (
    <>
      <ReasonChoice
        legend={props.legend}
        value={of.chosen}
        choices={[...props.reasons, other].map((text) => [text, text] as const)}
        error={of.chosen ? undefined : error}
        onChange={(next) => {
          onChange?.()
          of.setChosen(next)
        }}
      />
      {of.isOther && (
        <TextAreaField
          label="In your own words"
          hint={props.hint}
          maxLength={props.maxLength}
          value={of.text}
          error={error}
          onChange={(event) => {
            onChange?.()
            of.type(event.target.value)
          }}
        />
      )}
    </>
  )
}
