import { namesNetwork } from '#sync/platform/mobile-data.ts'
import { attempt } from '../../browser/attempt.ts'
import { Switch } from '../../components/forms/switch.tsx'
import { useDataSaver } from '../../hooks/use-data-saver.ts'
import { useSoma } from '../../hooks/use-soma.ts'

/** What this device may spend of prepaid data. */
export function DataSaver() {
  const { commands } = useSoma()
  const { saves, wifiOnly } = useDataSaver()
  const change = (next: { saves?: boolean; wifiOnly?: boolean }) =>
    void attempt('Error', () => commands.changeDataSaver(next))
  return (
    <section className="card grid gap-1" aria-labelledby="data">
      <h2 id="data">Mobile data</h2>
      <Switch label="Data saver" isOn={saves} onChange={(on) => change({ saves: on })} />
      <p className="text-sm text-soft">
        Large photos load when you tap them, and lists refresh less often.
      </p>
      {namesNetwork() && (
        <Switch
          label="Upload photos on Wi-Fi only"
          isOn={wifiOnly}
          onChange={(on) => change({ wifiOnly: on })}
        />
      )}
    </section>
  )
}
