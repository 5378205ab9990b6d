import type { ComponentProps } from 'react'
import { networkOf, networks } from '#domain/mobile-money/networks.ts'
import { Network } from '#domain/users/payout-number.ts'
import { SelectField } from '../forms/fields.tsx'

type Props = Omit<ComponentProps<typeof SelectField>, 'label' | 'hint' | 'children' | 'value'> & {
  phone: string
  value: Network | undefined
}

/** The network of a mobile money number. One that does not fit its first digits is asked about (R175). */
export const NetworkField = ({ phone, value, ...rest }: Props) => (
  <SelectField label="Network" hint={questionFor(phone, value)} value={value ?? ''} {...rest}>
    {!value && <option value="">Choose…</option>}
    {Network.options.map((each) => (
      <option key={each} value={each}>
        {networks[each].wallet}
      </option>
    ))}
  </SelectField>
)

/** A number may have been taken to another network, so that this is a question. */
function questionFor(phone: string, network: Network | undefined) {
  const usual = networkOf(phone)
  return usual && network && usual !== network
    ? `This looks like ${article(usual)} number. Is it on ${networks[network].wallet}?`
    : undefined
}

const article = (network: Network) =>
  `${/^[AM]/.test(networks[network].name) ? 'an' : 'a'} ${networks[network].name}`
