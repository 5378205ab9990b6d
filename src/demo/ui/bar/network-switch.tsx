import type { NetworkCondition } from '../../backend/network-conditions.ts'
import { useDemo, useDemoState } from '../demo-context.ts'

/** What the bar calls each condition. */
export const networkLabels: Record<NetworkCondition, string> = {
  fine: 'On',
  slow: 'Slow',
  lossy: 'Lossy',
  off: 'Off',
}

const descriptions: Record<NetworkCondition, string> = {
  fine: 'A good network',
  slow: 'Every request takes two to four seconds',
  lossy: 'Half of all requests or responses get lost',
  off: 'No network at all',
}

const conditions = Object.keys(networkLabels) as NetworkCondition[]

/** Chooses one of the four conditions. */
export function NetworkSwitch() {
  const { setNetwork } = useDemo()
  const { network } = useDemoState()
  return (
    <fieldset className="demo-networks" data-tour="network">
      <legend className="sr-only">Network</legend>
      {conditions.map((each) => (
        <label key={each} title={descriptions[each]}>
          <input
            type="radio"
            name="demo-network"
            className="sr-only"
            checked={network === each}
            onChange={() => setNetwork(each)}
          />
          {networkLabels[each]}
        </label>
      ))}
    </fieldset>
  )
}

/** Signal bars: three, one, two with a gap, or a stroke for none. */
export function SignalIcon({ network }: { network: NetworkCondition }) {
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
      <path d={network === 'off' ? 'M4 4l16 16' : bars[network]} />
    </svg>
  )
}
