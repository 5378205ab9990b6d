import { Network } from '../users/payout-number.ts'

/** What people call a network, and the first three digits of the numbers that it gives out. */
export const networks: Record<Network, { name: string; wallet: string; prefixes: string[] }> = {
  mtn: { name: 'MTN', wallet: 'MTN MoMo', prefixes: ['024', '025', '053', '054', '055', '059'] },
  vod: { name: 'Telecel', wallet: 'Telecel Cash', prefixes: ['020', '050'] },
  atl: { name: 'AirtelTigo', wallet: 'AirtelTigo Money', prefixes: ['026', '027', '056', '057'] },
}

/** The network that gave out a number; a number keeps its digits when its owner moves to another. */
export const networkOf = (phone: string): Network | undefined =>
  Network.options.find((network) => networks[network].prefixes.includes(phone.slice(0, 3)))

/** The network that was chosen, else the one that gave out the number. */
export const networkFor = ({ phone, network }: { phone: string; network: string }) =>
  Network.options.find((each) => each === network) ?? networkOf(phone)
