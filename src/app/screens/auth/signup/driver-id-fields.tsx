import { IdType, idTypeLabels } from '#domain/users/driver.ts'
import { formatGhanaCard, formatPassport, ghanaCardStart } from '#domain/users/id-numbers.ts'
import { SelectField, TextField } from '../../../components/forms/fields.tsx'
import type { useForm } from '../../../hooks/forms/use-form.ts'
import { IdPhoto } from './id-photo.tsx'
import { type IdField, idTypeOf } from './signup-fields.ts'

type Form = ReturnType<typeof useForm<IdField>>

/** A driver's ID: type, number and photo (R6). `onUploading` hears when an upload starts and ends. */
export function DriverIdFields({
  form: { values, set, bind },
  onUploading,
}: {
  form: Pick<Form, 'values' | 'set' | 'bind'>
  onUploading: (isUploading: boolean) => void
}) {
  const isGhanaCard = idTypeOf(values.idType) === 'ghana_card'
  const number = bind('idNumber', isGhanaCard ? formatGhanaCard : formatPassport)
  return (
    <>
      <SelectField
        label="ID type"
        {...bind('idType')}
        onChange={(event) => {
          set('idType', event.target.value)
          set('idNumber', '')
        }}
      >
        {IdType.options.map((type) => (
          <option key={type} value={type}>
            {idTypeLabels[type]}
          </option>
        ))}
      </SelectField>
      {isGhanaCard ? (
        <TextField
          label="ID number"
          autoComplete="off"
          inputMode="numeric"
          placeholder="GHA-123456789-0"
          {...number}
          onFocus={() => values.idNumber === '' && set('idNumber', ghanaCardStart)}
          onBlur={({ target }) => {
            const left = formatGhanaCard(target.value)
            set('idNumber', left === ghanaCardStart ? '' : left)
            number.onBlur()
          }}
        />
      ) : (
        <TextField
          label="ID number"
          autoComplete="off"
          autoCapitalize="characters"
          placeholder="A1234567"
          {...number}
        />
      )}
      <IdPhoto
        {...bind('idPhoto')}
        url={values.idPhoto}
        onUrl={(url) => set('idPhoto', url)}
        onPicked={async (accepted) => {
          onUploading(true)
          await accepted
          onUploading(false)
        }}
      />
    </>
  )
}
