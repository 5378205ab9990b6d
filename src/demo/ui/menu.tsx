import { Dialog } from '#app/components/dialogs/dialog.tsx'
import { Button } from '#app/components/forms/button.tsx'
import { Icon } from '#app/components/text/icon.tsx'
import { type Player, useScene, useStage } from './demo-context.ts'
import { SkySwitch } from './network-switch.tsx'

/** Everything of the bar that has no room on a phone. */
export default function Menu({ onClose, onReset }: { onClose: () => void; onReset: () => void }) {
  const { players, become, leaveTo } = useStage()
  const choose = async (key: Player['key']) => {
    await become(key)
    onClose()
  }
  return (
    <Dialog title="Who are you?" onClose={onClose}>
      <ul className="grid gap-2">
        {players.map((player) => (
          <Choice key={player.key} player={player} onChoose={() => choose(player.key)} />
        ))}
      </ul>
      <h3 className="font-bold">Network</h3>
      <SkySwitch />
      <div className="grid grid-cols-2 gap-2">
        <Button look="line" icon="retry" onClick={onReset}>
          Reset
        </Button>
        {leaveTo && (
          <a className="demo-leave" href={leaveTo}>
            Leave the demo
          </a>
        )}
      </div>
    </Dialog>
  )
}

function Choice({ player, onChoose }: { player: Player; onChoose: () => void }) {
  const { tabFor } = useStage()
  const { playing, changing } = useScene()
  const { key, name, role, about, face } = player
  return (
    <li className="demo-choice">
      <button
        type="button"
        aria-label={`${role}: ${name}`}
        aria-pressed={key === playing}
        disabled={changing}
        onClick={onChoose}
      >
        <img src={face} alt="" />
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
