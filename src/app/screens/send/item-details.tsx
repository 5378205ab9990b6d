import { itemDetailsOf, maxItemNote } from '#domain/deliveries/item.ts'
import { TextField } from '../../components/forms/fields.tsx'
import { OptionalPart } from '../../components/forms/optional-part.tsx'
import { ReasonChoice } from '../../components/forms/reasons/reason-choice.tsx'
import { Switch } from '../../components/forms/switch.tsx'
import { handlingText, sizeTexts } from '../../texts/item-texts.ts'
import type { SendFormState } from './use-send-form.ts'

const sizes = [['', 'Not said'], ...Object.entries(sizeTexts)] as [
  keyof typeof sizeTexts | '',
  string,
][]

/** What helps a driver to decide about the item: size, whether it is fragile, and a note (R160). */
export function ItemDetails({ state }: { state: SendFormState }) {
  const { draft, bind, change, errorOf } = state
  const { note } = itemDetailsOf(draft)
  const summary = [handlingText(draft), note].filter(Boolean).join(' · ')
  return (
    <OptionalPart
      label="More about the item"
      icon="box"
      title="More about the item"
      summary={summary || 'Optional: size, fragile or a note'}
      isWrong={errorOf('note') !== undefined}
    >
      {() => (
        <>
          <div className="grid gap-1.5">
            <ReasonChoice
              legend="Size"
              value={draft.size ?? ''}
              choices={sizes}
              onChange={(size) => change({ size: size || undefined })}
            />
            <p className="text-sm text-soft">
              Small fits in a bag, medium on a motorbike. Large needs a car.
            </p>
          </div>
          <Switch
            label="Fragile"
            isOn={draft.fragile === true}
            onChange={(fragile) => change({ fragile: fragile || undefined })}
          />
          <TextField
            label="Note about the item"
            autoComplete="off"
            placeholder="Keep it upright"
            hint={`Drivers read it before they accept. Up to ${maxItemNote} characters.`}
            {...bind('note')}
          />
        </>
      )}
    </OptionalPart>
  )
}
