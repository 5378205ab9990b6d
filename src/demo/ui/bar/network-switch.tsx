import { type Sky, useDemo, useDemoState } from '../demo-context.ts'

/** The network's weather, by the word it goes under. */
export const networkLabels: Record<Sky, string> = {
  fine: 'On',
  slow: 'Slow',
  lossy: 'Lossy',
  off: 'Off',
}

const meaning: Record<Sky, string> = {
  fine: 'A good network',
  slow: 'Every request takes two to four seconds',
  lossy: 'Half of all requests or answers get lost',
  off: 'No network at all',
}

/** The four kinds of network, one of which there is. */
export function NetworkSwitch() {
  const { setNetwork: setSky } = useDemo()
  const { network: sky } = useDemoState()
  return (
    <fieldset className="demo-skies" data-tour="network">
      <legend className="sr-only">Network</legend>
      {(Object.keys(networkLabels) as Sky[]).map((each) => (
        <label key={each} title={meaning[each]}>
          <input
            type="radio"
            name="demo-network"
            className="sr-only"
            checked={sky === each}
            onChange={() => setSky(each)}
          />
          {networkLabels[each]}
        </label>
      ))}
    </fieldset>
  )
}

/** Three bars: all, one, some with gaps, none. */
export function SignalIcon({ sky }: { sky: Sky }) {
  const bars = { fine: 'M5 19v-4M12 19V10M19 19V5', slow: 'M5 19v-4', lossy: 'M5 19v-4M19 19V5' }
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      className="size-5"
      fill="none"
      stroke="currentColor"
      strokeWidth="3"
      strokeLinecap="round"
    >
      <path d="M5 19v-4M12 19V10M19 19V5" opacity="0.3" />
      <path d={sky === 'off' ? 'M4 4l16 16' : bars[sky]} />
    </svg>
  )
}
