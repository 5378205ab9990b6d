import { type FormEvent, useState } from 'react'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { maxResolution } from '#domain/deliveries/dispute.ts'
import { openDecisions } from '#domain/deliveries/endings/decide.ts'
import type { DecisionKind } from '#domain/deliveries/endings/incidents.ts'
import type { DisputeRow } from '#store/queries/admin/admin.ts'
import { attempt } from '../../../browser/attempt.ts'
import { Confirm } from '../../../components/dialogs/confirm.tsx'
import { Button } from '../../../components/forms/button.tsx'
import { TextAreaField, TextField } from '../../../components/forms/fields.tsx'
import { ReasonChoice } from '../../../components/forms/reasons/reason-choice.tsx'
import { useSessionText } from '../../../hooks/forms/use-session-text.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import {
  bothShares,
  confirmText,
  decisionName,
  exactPrice,
  readShare,
  sharesBy,
} from '../../../texts/decision-texts.ts'

type Problems = { decision?: string; share?: string; reason?: string }

/** Resolves a dispute and decides about the money, as far as the rule allows it now (R107). */
export function DecisionForm({ dispute, view }: { dispute: DisputeRow; view?: Delivery }) {
  const { commands } = useSoma()
  const { text, type, clear } = useSessionText(`resolution:${dispute.ID}`)
  const kinds: DecisionKind[] = view ? openDecisions(view) : ['none']
  const [chosen, setChosen] = useState<DecisionKind>()
  const [typedShare, setTypedShare] = useState('')
  const [problems, setProblems] = useState<Problems>({})
  const [asking, setAsking] = useState(false)
  const kind = kinds.length === 1 ? kinds[0] : kinds.find((each) => each === chosen)
  const offer = view?.offer ?? 0
  const driverShare = kind === 'split' ? readShare(typedShare, offer) : undefined
  const shares = sharesBy(offer, kind, driverShare)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found: Problems = {
      decision: kind ? undefined : 'Please choose what happens to the money.',
      share: kind === 'split' && !shares ? shareHint(offer) : undefined,
      reason: text.trim() === '' ? 'Please say how it was resolved.' : undefined,
    }
    setProblems(found)
    setAsking(!Object.values(found).some(Boolean))
  }
  const resolve = async () => {
    const decided = { decision: kind, driverShare }
    if (await attempt('Error', () => commands.resolveDispute(dispute.ID, text, decided))) clear()
  }
  return (
    <form onSubmit={submit} className="card grid gap-4" aria-label="Resolution" noValidate>
      {kinds.length > 1 ? (
        <ReasonChoice
          legend={`Decision about ${exactPrice(offer)}`}
          value={kind}
          choices={kinds.map((each) => [each, decisionName(each, view)] as const)}
          error={problems.decision}
          onChange={(next) => {
            setChosen(next)
            setProblems({})
          }}
        />
      ) : (
        <p className="text-soft">{onlyText(view)}</p>
      )}
      {kind === 'split' && (
        <TextField
          label="Driver's part in cedis"
          inputMode="decimal"
          autoComplete="off"
          placeholder="0.00"
          value={typedShare}
          error={problems.share}
          hint={
            <output aria-live="polite">{shares ? bothShares(shares) : shareHint(offer)}</output>
          }
          onChange={(event) => {
            setTypedShare(event.target.value)
            setProblems({})
          }}
        />
      )}
      <TextAreaField
        label="Reason"
        hint="What you found out and what was decided. Both sides read it."
        maxLength={maxResolution}
        value={text}
        error={problems.reason}
        onChange={(event) => {
          type(event.target.value)
          setProblems({})
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
            event.currentTarget.form?.requestSubmit()
        }}
      />
      <Button type="submit">Resolve dispute</Button>
      {asking && kind && (
        <Confirm
          title={`${decisionName(kind, view)}?`}
          yes="Resolve dispute"
          onYes={resolve}
          onClose={() => setAsking(false)}
        >
          {view ? confirmText(view, kind, shares) : 'No money moves. The report is closed.'}
        </Confirm>
      )}
    </form>
  )
}

const shareHint = (offer: number) => `From 0 to ${exactPrice(offer)}, with at most two decimals.`

const onlyText = (view: Delivery | undefined): string =>
  view
    ? `This delivery is ${view.status}: its money is settled already.`
    : 'The delivery is not loaded yet: only a decision that moves no money is possible now.'
