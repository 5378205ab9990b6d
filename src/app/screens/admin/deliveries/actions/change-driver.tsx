import { useState } from 'react'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { pageRef } from '#store/deliveries/save/admin-pages.ts'
import { listing } from '#store/queries/admin/listings.ts'
import { SelectField, TextField } from '../../../../components/forms/fields.tsx'
import { isUnavailable, useListState } from '../../../../hooks/lists/use-list-state.ts'
import { useLive } from '../../../../hooks/use-live.ts'
import { useSoma } from '../../../../hooks/use-soma.ts'
import { useVisitor } from '../../../../hooks/use-visitor.ts'
import { driverReasons } from './office-texts.ts'
import { ReasonDialog } from './reason-dialog.tsx'

/** The choice that means no driver. */
const onOffer = 'offer'

/** Gives a job to an approved driver, found by name, or puts it back on offer (R192). */
export function ChangeDriver({ view, onClose }: { view: Delivery; onClose: () => void }) {
  const { commands } = useSoma()
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState('')
  const query = { status: 'approved' as const, search, limit: '20' }
  const state = useListState(pageRef('adminDrivers', query), undefined)
  const account = useVisitor().account
  const isOnline = !isUnavailable(state)
  const found = useLive(listing<'adminDrivers'>, 'adminDrivers', query, {
    page: 0,
    reachable: isOnline,
    account,
  })
  const drivers = (found?.rows ?? []).filter(({ ID }) => ID !== view.driver?.id)
  const known = chosen === onOffer || drivers.some(({ ID }) => ID === chosen)
  return (
    <ReasonDialog
      name={`driver:${view.ID}`}
      title={view.driver ? 'Change the driver?' : 'Give it to a driver?'}
      yes={chosen === onOffer ? 'Put it on offer' : 'Give the job'}
      reasons={driverReasons}
      isReady={known}
      onYes={(reason) => commands.assignDriver(view.ID, chosen === onOffer ? null : chosen, reason)}
      onClose={onClose}
    >
      {view.driver && <p>{view.driver.name} loses the job at once and reads why.</p>}
      <TextField
        label="Find a driver"
        type="search"
        autoComplete="off"
        placeholder="Name or e-mail"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <SelectField
        label="Driver"
        value={known ? chosen : ''}
        hint={
          isOnline
            ? 'Approved drivers. One with a job already is refused.'
            : 'Not available offline.'
        }
        onChange={(event) => setChosen(event.target.value)}
      >
        <option value="">Choose…</option>
        {view.driver && <option value={onOffer}>Nobody: put it back on offer</option>}
        {drivers.map(({ ID, User }) => (
          <option key={ID} value={ID}>
            {User.Name} · {User.Email}
          </option>
        ))}
      </SelectField>
    </ReasonDialog>
  )
}
