import type { TypedPayer } from '#domain/deliveries/draft.ts'
import { networkFor } from '#domain/mobile-money/networks.ts'
import { normalizePhone } from '#domain/users/phone.ts'
import { cleanInput } from '../../hooks/forms/clean-input.ts'
import { PhoneField } from '../forms/fields.tsx'
import { NetworkField } from './network-field.tsx'

/** The mobile money account that pays (R173). */
export function PayerFields(props: {
  payer: TypedPayer
  errorOf: (field: keyof TypedPayer) => string | undefined
  onBlur?: (field: keyof TypedPayer) => void
  onChange: (part: Partial<TypedPayer>) => void
}) {
  const { payer, errorOf, onBlur, onChange } = props
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <PhoneField
        label="Mobile money number"
        name="payer.phone"
        autoComplete="off"
        value={payer.phone}
        error={errorOf('phone')}
        onBlur={() => onBlur?.('phone')}
        onChange={({ target }) => onChange({ phone: cleanInput(target, normalizePhone) })}
      />
      <NetworkField
        name="payer.network"
        phone={payer.phone}
        value={networkFor(payer)}
        error={errorOf('network')}
        onChange={({ target }) => onChange({ network: target.value })}
      />
    </div>
  )
}
