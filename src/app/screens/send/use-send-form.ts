import { type ChangeEvent, type FormEvent, useEffect, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import {
  type DraftField,
  emptyDraft,
  type PlaceField,
  type PlainField,
  type SendDraft,
  type Side,
  type TypedPayer,
  validateDraft,
} from '#domain/deliveries/draft.ts'
import type { TypedPlace } from '#domain/deliveries/places/place.ts'
import { minOffer } from '#store/queries/config/min-offer.ts'
import { paymentMode } from '#store/queries/config/payment-mode.ts'
import { attempt } from '../../browser/attempt.ts'
import { blockReload } from '../../browser/update/reload-guard.ts'
import { acceptFile } from '../../components/forms/photo-picker.tsx'
import { cleanInput } from '../../hooks/forms/clean-input.ts'
import { focusField, useTouchedFields } from '../../hooks/forms/use-touched-fields.ts'
import { useLive } from '../../hooks/use-live.ts'
import { useSoma } from '../../hooks/use-soma.ts'
import { useVisitor } from '../../hooks/use-visitor.ts'
import { roomPath } from '../../paths.ts'
import { firstWrongStep, lastStep, problemsIn, stepIn } from './steps.ts'
import { useDraftSaver } from './use-draft-saver.ts'
import { useSharedPhoto } from './use-shared-photo.ts'

export type Mode = 'guest' | 'account'
export type SendFormState = ReturnType<typeof useSendForm>

/** The state of the request form (R20). Every change is saved; `saved` is the draft from the store. */
export function useSendForm(mode: Mode, saved: SendDraft | null) {
  const { commands, prefetch } = useSoma()
  useEffect(prefetch, [prefetch])
  const navigate = useNavigate()
  const form = useRef<HTMLFormElement>(null)
  const { draft, latest, change, saver } = useSavedDraft(saved)
  const { isTouched, touch, touchAfterClick } = useTouchedFields<DraftField>()
  const [busy, setBusy] = useState(false)
  const [search, setSearch] = useSearchParams()
  const step = stepIn(search)
  /** Set while a picked photo is resized; resolves to whether it was accepted. */
  const photoWork = useRef<Promise<boolean>>(undefined)

  const leastOffer = useLive(minOffer)
  /** Whether the sender pays before drivers see the request (R173). */
  const isPaidFirst = useLive(paymentMode) === 'paystack'
  const problemsOf = (typed: SendDraft) => validateDraft(typed, mode, leastOffer)
  const problems = problemsOf(draft)
  const errorOf = (field: DraftField) => {
    const found = isTouched(field) && problems.find((problem) => problem.field === field)
    return found ? [found.title, found.text].filter(Boolean).join(': ') : undefined
  }

  const changePlace = (side: Side, part: TypedPlace) =>
    change({ [`${side}Place`]: { ...latest.current[`${side}Place`], ...part } })

  const savePhoto = async (bytes: ArrayBuffer, type: string) =>
    change({ photo: await commands.savePhoto(bytes, type) })

  const openStep = (next: number) => {
    const params = new URLSearchParams(search)
    params.set('step', String(next))
    setSearch(params)
    window.scrollTo(0, 0)
  }

  /** Shows what is wrong up to a step and goes to the first of it; returns whether there is anything. */
  const showProblems = (found: typeof problems, upTo: number) => {
    const wrongStep = firstWrongStep(found, upTo)
    if (wrongStep === undefined) return false
    const [first] = problemsIn(wrongStep, found)
    if (!first) return false
    touch(...problemsIn(wrongStep, found).map(({ field }) => field))
    if (wrongStep !== step) openStep(wrongStep)
    else if (!focusField(form.current, first.field)) focusPhoto(form.current)
    return true
  }

  const goOn = async () => {
    if ((await photoWork.current) === false) return
    if (!showProblems(problemsOf(latest.current), step)) openStep(step + 1)
  }

  /** Waits for a photo that is still being resized, so that the request does not carry the previous one. */
  const request = async () => {
    if ((await photoWork.current) === false) return
    if (isPaidFirst) change({ payer: payerIn(latest.current) })
    const submitted = latest.current
    if (showProblems(problemsOf(submitted), lastStep)) return
    await saver.settle()
    await attempt('Request Failed', async () => {
      navigate(roomPath(await commands.requestDelivery(submitted, mode)))
    })
  }

  const shared = useSharedPhoto(Boolean(draft.photo), (photo) => {
    const taken = blockReload(acceptFile(photo, ({ bytes, type }) => savePhoto(bytes, type)))
    photoWork.current = taken
    return taken.finally(() => {
      photoWork.current = undefined
    })
  })

  return {
    form,
    draft,
    busy,
    step,
    openStep,
    change,
    errorOf,
    touchAfterClick,
    photoWork,
    saveNow: () => saver.save(draft),
    savePhoto,
    shared,
    submit: async (event: FormEvent) => {
      event.preventDefault()
      setBusy(true)
      await (step < lastStep ? goOn() : request())
      setBusy(false)
    },
    /** Props of one text field; `clean` normalises what is typed. */
    bind: (field: Exclude<PlainField, 'photo'>, clean?: (typed: string) => string) => ({
      name: field,
      value: draft[field] ?? '',
      error: errorOf(field),
      onBlur: () => touchAfterClick(field),
      onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLSelectElement>) =>
        change({
          [field]: clean && 'selectionEnd' in target ? cleanInput(target, clean) : target.value,
        }),
    }),
    changePlace,
    /** Props of a text field of a place (R112). */
    bindPlace: (side: Side, at: 'text' | 'note') => {
      const field: PlaceField = `${side}Place.${at}`
      return {
        name: field,
        value: draft[`${side}Place`]?.[at] ?? '',
        error: errorOf(field),
        onBlur: () => touchAfterClick(field),
        onChange: (event: { target: { value: string } }) =>
          changePlace(side, { [at]: event.target.value }),
      }
    },
  }
}

/** Who pays: the sender, until somebody else was chosen. */
export const payerIn = ({ payer, senderPhone }: SendDraft): TypedPayer =>
  payer ?? { phone: senderPhone, network: '' }

/** The photo is no text field: its first button takes the focus, and all of it is in view. */
function focusPhoto(form: HTMLFormElement | null) {
  const photo = form?.querySelector('input[type=file]')?.closest('fieldset')
  photo?.scrollIntoView({ block: 'center' })
  photo?.querySelector('button')?.focus({ preventScroll: true })
}

/** The draft on the screen, saved at each change. */
function useSavedDraft(saved: SendDraft | null) {
  const { user } = useVisitor()
  const saver = useDraftSaver()
  const [draft, setDraft] = useState<SendDraft>(() => ({
    ...emptyDraft,
    senderName: user?.name ?? '',
    senderPhone: user?.phone_number ?? '',
    ...(saver.restore() ?? saved),
  }))
  // Resizing a photo takes seconds: a change must build on what was typed meanwhile.
  const latest = useRef(draft)
  const change = (part: Partial<SendDraft>) => {
    latest.current = { ...latest.current, ...part }
    setDraft(latest.current)
    saver.save(latest.current)
  }
  return { draft, latest, change, saver }
}
