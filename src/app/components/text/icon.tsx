/** Line icons of 24 × 24 units in the text's colour. */
const shapes = {
  home: 'M4 11l8-7 8 7v9h-5v-6H9v6H4z',
  box: 'M4 8l8-4 8 4v9l-8 4-8-4zM4 8l8 4 8-4M12 12v9',
  car: 'M3 16V9l3-4h9l4 5h2v6h-2M9 17h6M5 17a2 2 0 104 0 2 2 0 10-4 0M15 17a2 2 0 104 0 2 2 0 10-4 0',
  person: 'M8 8a4 4 0 108 0 4 4 0 10-8 0M4 21c0-4 4-6 8-6s8 2 8 6',
  shield: 'M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6zM9 12l2 2 4-4',
  back: 'M11 5l-7 7 7 7M4 12h16',
  forward: 'M13 5l7 7-7 7M20 12H4',
  close: 'M6 6l12 12M18 6L6 18',
  check: 'M5 12l5 5L19 7',
  alert: 'M12 4l9 16H3zM12 10v4M12 17v.5',
  clock: 'M12 3a9 9 0 100 18 9 9 0 100-18M12 7v5l3 2',
  camera: 'M4 8h4l2-3h4l2 3h4v11H4zM8.5 13a3.5 3.5 0 107 0 3.5 3.5 0 10-7 0',
  picture: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9h.5',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  share: 'M12 15V4M8 8l4-4 4 4M5 12v8h14v-8',
  phone:
    'M6 3h4l1.5 5L9 10a12 12 0 005 5l2-2.5 5 1.5v4c0 2-2 3-4 2.5C9 18.5 5.5 13 4 7c-.5-2 .5-4 2-4z',
  chat: 'M4 5h16v11H11l-5 4v-4H4z',
  bin: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  plus: 'M12 5v14M5 12h14',
  search: 'M10.5 4a6.5 6.5 0 100 13 6.5 6.5 0 100-13M15.5 15.5L21 21',
  retry: 'M20 12a8 8 0 11-2.5-5.8M20 3v5h-5',
  down: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  sort: 'M8 5v14M5 16l3 3 3-3M16 19V5M13 8l3-3 3 3',
  list: 'M9 6h11M9 12h11M9 18h11M4 6h.5M4 12h.5M4 18h.5',
  swap: 'M7 4v15M3.5 15.5L7 19l3.5-3.5M17 20V5M13.5 8.5L17 5l3.5 3.5',
  grid: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  people:
    'M6 8a3 3 0 106 0 3 3 0 10-6 0M2.5 20c0-3.5 3-5.5 6.5-5.5s6.5 2 6.5 5.5M15 5.3a3 3 0 010 5.4M17.5 14.8c2.5.6 4 2.5 4 5.2',
  flag: 'M6 21V4h12l-3 4 3 4H6',
  settings:
    'M4 7h9M17 7h3M4 17h3M11 17h9M13 7a2 2 0 104 0 2 2 0 10-4 0M7 17a2 2 0 104 0 2 2 0 10-4 0',
  pin: 'M12 21c-4-5-6-8-6-11a6 6 0 1112 0c0 3-2 6-6 11zM10 10a2 2 0 104 0 2 2 0 10-4 0',
  money: 'M3 6h18v12H3zM9.5 12a2.5 2.5 0 105 0 2.5 2.5 0 10-5 0M6 12h.5M18 12h-.5',
  outbox: 'M4 13l2-8h12l2 8v6H4zM4 13h5l1 3h4l1-3h5M12 8v-5M9.5 5L12 2.5 14.5 5',
  bell: 'M6 10a6 6 0 1112 0c0 5 2 6 2 6H4s2-1 2-6M10 19.5a2 2 0 004 0',
  eye: 'M2 12c3-4.5 6.5-6.5 10-6.5s7 2 10 6.5c-3 4.5-6.5 6.5-10 6.5S5 16.5 2 12zM9 12a3 3 0 106 0 3 3 0 10-6 0',
  hide: 'M2 12c3-4.5 6.5-6.5 10-6.5s7 2 10 6.5c-3 4.5-6.5 6.5-10 6.5S5 16.5 2 12zM9 12a3 3 0 106 0 3 3 0 10-6 0M4 3l16 18',
  keyboard: 'M3 6h18v12H3zM7 10h.5M11 10h.5M15 10h.5M18 10h.5M7 14h10',
} as const

export type IconName = keyof typeof shapes

export function Icon({ name, className = 'size-6' }: { name: IconName; className?: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      className={`${className} shrink-0`}
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={shapes[name]} />
    </svg>
  )
}
