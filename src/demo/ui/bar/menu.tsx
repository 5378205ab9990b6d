import { Dialog } from '#app/components/dialogs/dialog.tsx'
import { Button } from '#app/components/forms/button.tsx'
import { Icon } from '#app/components/text/icon.tsx'
import { type PersonaOption, useDemo, useDemoState } from '../demo-context.ts'
import { NetworkSwitch } from './network-switch.tsx'
import { PaymentChoice } from './payment-choice.tsx'

/** On a phone, everything that does not fit into the bar. */
export default function Menu({ onClose, onReset }: { onClose: () => void; onReset: () => void }) {
  const { personas, switchPersona, leaveUrl } = useDemo()
  const choose = async (key: PersonaOption['key']) => {
    await switchPersona(key)
    onClose()
  }
  return (
    <Dialog title="Who are you?" onClose={onClose}>
      <ul className="grid gap-2">
        {personas.map((persona) => (
          <PersonaChoice key={persona.key} option={persona} onChoose={() => choose(persona.key)} />
        ))}
      </ul>
      <h3 className="font-bold">Network</h3>
      <NetworkSwitch />
      <PaymentChoice />
      <div className="grid grid-cols-2 gap-2">
        <Button look="line" icon="retry" onClick={onReset}>
          Reset
        </Button>
        {leaveUrl && (
          <a className="demo-leave" href={leaveUrl}>
            Leave the demo
          </a>
        )}
      </div>
    </Dialog>
  )
}

function PersonaChoice({ option, onChoose }: { option: PersonaOption; onChoose: () => void }) {
  const { newTabUrl: tabFor } = useDemo()
  const { persona, switching } = useDemoState()
  const { key, name, role, about, portrait } = option
  return (
    <li className="demo-choice">
      <button
        type="button"
        aria-label={`${role}: ${name}`}
        aria-pressed={key === persona}
        disabled={switching}
        onClick={onChoose}
      >
        <img src={portrait} alt="" />
        <span>
          <strong>{name}</strong>
          <small>
            {role} · {about}
          </small>
        </span>
      </button>
      <a href={tabFor(key)} target="_blank" rel="noreferrer" aria-label={`${name} in another tab`}>
        <Icon name="share" className="size-5" />
      </a>
    </li>
  )
}
