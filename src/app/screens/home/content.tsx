import { type ReactNode, useContext } from 'react'
import { product } from '#domain/product.ts'
import { Button } from '../../components/forms/button.tsx'
import { Link } from '../../components/forms/link.tsx'
import { Kente } from '../../components/page/skeleton.tsx'
import { TryTheDemo } from '../../components/page/try-the-demo.tsx'
import { Parcel, ParcelShape } from '../../components/photo/parcel.tsx'
import { Icon, type IconName } from '../../components/text/icon.tsx'
import { paths, type Visitor } from '../../paths.ts'
import { Banner } from './banner.tsx'
import { HomeCardContext } from './home-card.ts'

type CardName = 'send' | 'join' | 'admin' | 'find' | 'check'
type Variant = { title: string; text: string; cards: readonly CardName[] }

const sender: Variant = {
  title: 'Package Sender',
  text: 'Send packages and track your deliveries.',
  cards: ['send'],
}

const rejected: Variant = {
  title: 'Driver Application Rejected',
  text: 'Contact support if you think this is a mistake.',
  cards: ['send', 'check'],
}

/** Heading, text and cards for each visitor. */
const variants: Record<Visitor, Variant> = {
  guest: {
    title: `Welcome to ${product}`,
    text: 'Peer-to-Peer Delivery Platform',
    cards: ['send', 'join'],
  },
  admin: {
    title: 'Admin Dashboard',
    text: 'Manage users, deliveries, and platform settings.',
    cards: ['admin'],
  },
  approvedDriver: {
    title: 'Approved Driver',
    text: 'You can send packages and accept delivery jobs.',
    cards: ['find'],
  },
  driver: {
    title: 'Driver Application Pending',
    text: 'Your application is under review. You can still send packages while waiting.',
    cards: ['send', 'check'],
  },
  sender,
  user: sender,
}

const cards: Record<CardName, { to: string; title: string; text: string; icon: IconName }> = {
  send: {
    to: paths.send,
    title: 'Send a Package',
    text: "Works without signal. We'll send it when you're back online.",
    icon: 'box',
  },
  join: {
    to: `${paths.auth}?tab=signup&role=driver`,
    title: 'Become a Driver',
    text: 'Earn on trips you already make.',
    icon: 'car',
  },
  admin: {
    to: paths.admin,
    title: 'Admin Dashboard',
    text: 'Applications, deliveries, disputes and settings.',
    icon: 'shield',
  },
  find: {
    to: paths.drive,
    title: 'Find Deliveries',
    text: 'Jobs along your route.',
    icon: 'car',
  },
  check: {
    to: paths.driverPending,
    title: 'Check Approval Status',
    text: 'Reviews usually take 24-48 hours.',
    icon: 'clock',
  },
}

type Props = {
  visitor: Visitor
  name?: string
  isRejected?: boolean
  onLearn: () => void
  /** The parcel stands where it would come to rest: what moves keeps a page that is loading busy. */
  isStill?: boolean
}

/** What Home offers to each visitor. The build draws a guest's into index.html (src/first-page.tsx). */
export function HomeContent({ visitor, name, isRejected, onLearn, isStill }: Props) {
  const variant = isRejected ? rejected : variants[visitor]
  return (
    <>
      <Hero variant={variant} name={name} isStill={isStill} />
      {import.meta.env.MODE === 'demo' && <DemoCard />}
      <div className="grid gap-4 md:grid-cols-2">
        {variant.cards.map((card) => (
          <HomeCard key={card} art={card === 'send' && <Parcel />} {...cards[card]} />
        ))}
      </div>
      <Banner onLearn={onLearn} />
      <div className="flex flex-wrap justify-center">
        <Button look="ghost" onClick={onLearn}>
          How It Works
        </Button>
        {visitor === 'guest' && import.meta.env.MODE !== 'demo' && <TryTheDemo />}
      </div>
    </>
  )
}

function DemoCard() {
  const Card = useContext(HomeCardContext)
  return Card && <Card />
}

function HomeCard(props: {
  to: string
  title: string
  text: string
  icon: IconName
  art?: ReactNode
}) {
  return (
    <Link
      to={props.to}
      className="card flex flex-wrap items-center gap-4 transition-transform active:scale-[0.99]"
    >
      <span
        className={`grid size-18 shrink-0 place-items-center rounded-control ${props.art ? 'bg-green-wash' : 'bg-gold-wash'}`}
      >
        {props.art || <Icon name={props.icon} className="size-9" />}
      </span>
      <span className="grid min-w-[min(100%,8rem)] flex-1 gap-0.5">
        <span className="flex items-center justify-between gap-2">
          <h2>{props.title}</h2>
          <Icon name="forward" className="size-6 shrink-0 text-green" />
        </span>
        <span className="text-sm text-soft">{props.text}</span>
      </span>
    </Link>
  )
}

function Hero(props: { variant: Variant; name?: string; isStill?: boolean }) {
  const { variant, name, isStill } = props
  return (
    <section className="relative overflow-hidden rounded-hero bg-green-deep text-white md:grid md:grid-cols-2 md:items-center">
      <div className="grid gap-2 p-5 pb-1 md:p-8">
        <h1>{name ? `Welcome back, ${name}` : variant.title}</h1>
        {name && <h2 className="text-gold">{variant.title}</h2>}
        <p className="text-mint">{variant.text}</p>
      </div>
      <svg aria-hidden="true" viewBox="0 0 300 104" className="w-full px-4 pb-5 md:pt-6">
        <path
          d="M14 74c50 0 50-52 100-52s56 46 104 46 40-34 66-34"
          fill="none"
          stroke="#f4b731"
          strokeWidth="4"
          strokeDasharray="2 9"
          strokeLinecap="round"
        />
        <circle cx="14" cy="74" r="7" fill="#fff" />
        <rect x="276" y="26" width="15" height="15" fill="#fff" transform="rotate(45 284 34)" />
        <g className={isStill ? 'parcel' : 'parcel parcel-travels'}>
          <g transform="translate(-21 -25) scale(1.05)">
            <ParcelShape />
          </g>
        </g>
        <g fill="#cfe5d9" fontSize="12" fontWeight="600">
          <text x="4" y="98">
            Osu
          </text>
          <text x="266" y="66">
            Tema
          </text>
        </g>
      </svg>
      <Kente className="absolute inset-x-0 bottom-0" />
    </section>
  )
}
